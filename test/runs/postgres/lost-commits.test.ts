import { describe, expect, onTestFinished } from 'vitest';
import type { RunDescription } from '../../../src/runs/description.js';
import { PostgresStore } from '../../../src/runs/postgres/store.js';
import { type CutProxy, cutProxy } from '../../helpers/cut-proxy.js';
import { HAS } from '../../helpers/needs.js';
import { newDatabase, sharedPostgres } from '../../helpers/postgres.js';
import { longTest } from '../../helpers/runs.js';

/** Another process, with a reliable connection. */
let other: PostgresStore;

/** A process whose answers can be cut off. */
interface Unheard {
  readonly store: PostgresStore;
  readonly proxy: CutProxy;
}

async function openBoth(): Promise<Unheard> {
  const url = new URL(await newDatabase());
  const proxy = await cutProxy(Number(new URL((await sharedPostgres()).url).port));
  other = await PostgresStore.open(url.href);
  url.port = String(proxy.port);
  const store = await PostgresStore.open(url.href);
  onTestFinished(() => other[Symbol.asyncDispose]());
  onTestFinished(() => store[Symbol.asyncDispose]());
  return { store, proxy };
}

const DESCRIPTION = {
  started: '2026-01-01T00:00:00.000Z',
  inputs: [{ path: 'a' }],
  inputKey: null,
  options: {},
  target: { service: 'https://api.example.com/5.0', monitoring: 1 },
} as unknown as RunDescription;

/** Runs an action and drops the answer to one committed statement. */
async function unheard<T>(
  { store, proxy }: Unheard,
  statement: RegExp,
  run: () => Promise<T>,
  isDone: () => Promise<boolean>,
): Promise<T> {
  let isLost = false;
  store.database.pool.on('acquire', (client) => {
    const { query } = client;
    client.query = ((sql: string, ...rest: readonly unknown[]) => {
      if (!isLost && statement.test(sql)) {
        isLost = true;
        proxy.stall('answers');
      }
      return Reflect.apply(query, client, [sql, ...rest]);
    }) as typeof query;
  });
  const running = run();
  running.catch(() => {});
  await expect.poll(isDone).toBe(true);
  proxy.cut();
  proxy.pass();
  return await running;
}

describe.runIf(HAS.postgres)('a commit whose answer is lost', () => {
  longTest('holds a run that has ended', async () => {
    const unsure = await openBoth();
    const { store } = unsure;
    await (await other.begin('a-run', DESCRIPTION)).release();
    const isHeld = () => other.isRunning('a-run');
    const stored = await unheard(unsure, /SET state = 'held'/, () => store.take('a-run'), isHeld);
    expect(stored.id).toBe('a-run');
    await stored.release();
    expect(await other.isRunning('a-run')).toBe(false);
  });

  longTest('takes a shard once', async () => {
    const unsure = await openBoth();
    const { store } = unsure;
    const group = await other.groups.open('nightly');
    const plan = { shards: 2, description: DESCRIPTION, plan: '{}' };
    await other.groups.define(group, async () => plan);
    const id = await other.groups.addShard(group, 1);
    const { signal } = new AbortController();
    const taken = await unheard(
      unsure,
      /SET state = 'held'/,
      () => store.takeShard(id, { signal, onWait: () => {} }),
      () => other.isRunning(id),
    );
    const states = await other.groups.states(group);
    expect(states.map(({ state, starts }) => [state, starts])).toEqual([
      ['running', 1],
      ['waiting', 0],
    ]);
    await taken?.journal.release();
  });
});
