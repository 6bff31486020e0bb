import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { runJobs } from '../../../src/cluster/postgres/jobs.js';
import { addJobs } from '../../../src/cluster/postgres/queue.js';
import { Session } from '../../../src/cluster/postgres/session.js';
import { PostgresStore } from '../../../src/cluster/postgres/store.js';
import { cutProxy } from '../../helpers/cut-proxy.js';
import { HAS } from '../../helpers/needs.js';
import { newDatabase } from '../../helpers/postgres.js';
import { longTest } from '../../helpers/runs.js';

const PATIENT = { timeout: 20_000 };

const HANDLER = {
  tasks: ['finish'] as const,
  concurrency: 4,
  onStart: async () => {},
  forbiddenFlags: async () => [],
};

// An unhandled rejection would end the worker, and fails the test.
describe.runIf(HAS.postgres)('a job runner', () => {
  longTest('rejects once if a job fails while it stops', async () => {
    const { database, add } = await openQueue(await newDatabase());
    await add(1);
    const ending = new AbortController();
    const running = runJobs(database, {
      ...HANDLER,
      signal: ending.signal,
      handle: async () => {
        ending.abort();
        throw new Error('its lease is lost');
      },
    });
    await expect(running).rejects.toThrow('its lease is lost');
  });

  longTest('continues after the database was away when a job completed', async () => {
    const state = await newDatabase();
    const { add } = await openQueue(state);
    const { proxy, taken, end } = await runThroughProxy(state, () => proxy.cut());
    await add(1);
    await expect.poll(() => taken, PATIENT).toEqual([1]);
    await sleep(1_500);
    proxy.pass();
    await add(2);
    await expect.poll(() => taken, PATIENT).toEqual([1, 2]);
    await end();
  });

  longTest('continues after the database went away before the first job', async () => {
    const state = await newDatabase();
    const { database, add } = await openQueue(state);
    await add(1);
    const locking = await database.pool.connect();
    await locking.query('BEGIN; LOCK TABLE docferry_queue._private_tasks');
    const { proxy, taken, end } = await runThroughProxy(state);
    const waiting = 'SELECT FROM pg_locks WHERE NOT granted';
    await expect.poll(() => database.rows(waiting), PATIENT).toHaveLength(1);
    proxy.cut();
    proxy.pass();
    await locking.query('COMMIT');
    locking.release();
    await expect.poll(() => taken, PATIENT).toEqual([1]);
    await end();
  });

  longTest('stops silently while the database is away', async () => {
    const traced = vi.spyOn(console, 'trace');
    onTestFinished(() => traced.mockRestore());
    const state = await newDatabase();
    await openQueue(state);
    const { proxy, end } = await runThroughProxy(state);
    await sleep(500);
    proxy.stall();
    // By now the query for jobs waits for an answer that won't come.
    await sleep(1_500);
    const ended = end();
    await sleep(100);
    proxy.cut();
    await ended;
    expect(traced).not.toHaveBeenCalled();
  });
});

describe.runIf(HAS.postgres)('a job that was taken when the connection was lost', () => {
  longTest('is unlocked once its pool has ended, not before', async () => {
    const { database, add } = await openQueue(await newDatabase());
    const session = await Session.open(database);
    onTestFinished(() => session.close());
    await session.registerPool('pool-first');
    await add(1);
    const lock = 'UPDATE docferry_queue._private_jobs SET locked_at = now(), locked_by = $1';
    await database.rows(lock, ['pool-first']);
    const holders = () => database.rows('SELECT locked_by AS pool FROM docferry_queue.jobs');
    await session.unlockEndedPools();
    expect(await holders()).toEqual([{ pool: 'pool-first' }]);
    await session.registerPool('pool-second');
    await session.unlockEndedPools();
    expect(await holders()).toEqual([{ pool: null }]);
  });
});

async function openQueue(state: string) {
  const { database } = await PostgresStore.open(state);
  onTestFinished(() => database.close());
  const add = (run: number): Promise<void> => addJobs(database, [{ task: 'finish', run }]);
  return { database, add };
}

async function runThroughProxy(state: string, onTaken: () => void = () => {}) {
  const url = new URL(state);
  const proxy = await cutProxy(Number(url.port));
  url.port = `${proxy.port}`;
  const { database } = await PostgresStore.open(url.href);
  const ending = new AbortController();
  const taken: number[] = [];
  const running = runJobs(database, {
    ...HANDLER,
    signal: ending.signal,
    handle: async ({ run }) => {
      taken.push(run);
      if (taken.length === 1) onTaken();
    },
  });
  const end = async (): Promise<void> => {
    ending.abort();
    await running;
    await database.close();
  };
  return { proxy, taken, end };
}
