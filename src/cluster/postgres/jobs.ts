import { setTimeout as sleep } from 'node:timers/promises';
import type { TaskList } from 'graphile-worker';
import type { Pool, PoolClient, QueryResult } from 'pg';
import type { Database } from './database/database.js';
import { isPassing } from './database/failures.js';
import { QUEUE_SCHEMA } from './database/schema.js';
import { type JobHint, TASKS, type TaskName } from './queue.js';

/** How often it is asked for jobs that nobody was woken up for, in milliseconds. */
const POLL_MS = 1_000;

/** Who takes jobs. */
interface JobTaker {
  /** Ends it, once the job in hand is done. */
  readonly signal: AbortSignal;
  readonly take: (task: TaskName, hint: JobHint) => Promise<void>;
}

/**
 * Takes jobs one after the other until the signal is aborted, also if the database goes away
 * meanwhile. A job is a hint of what there is to do: what comes of it stands in the tables, and one
 * that fails is given again by a sweep.
 */
export async function runJobs(database: Database, { signal, take }: JobTaker): Promise<void> {
  const failing = new AbortController();
  const ending = AbortSignal.any([signal, failing.signal]);
  const tasks = Object.keys(TASKS).map((name) => {
    const task = async (payload: unknown): Promise<void> => {
      if (ending.aborted) return;
      try {
        await take(name as TaskName, payload as JobHint);
      } catch (error) {
        failing.abort(error);
      }
    };
    return [name, task] as const;
  });
  while (!ending.aborted) {
    await runQueue(database.pool, Object.fromEntries(tasks), ending);
    await sleep(POLL_MS, undefined, { signal: ending }).catch(() => {});
  }
  if (failing.signal.aborted) throw failing.signal.reason;
}

/** Until the signal is aborted, or the database goes away: a runner may stay deaf after that. */
async function runQueue(pool: Pool, taskList: TaskList, signal: AbortSignal): Promise<void> {
  const { Logger, run } = await import('graphile-worker');
  try {
    const runner = await run({
      pgPool: poolFor(pool, signal),
      schema: QUEUE_SCHEMA,
      concurrency: 1,
      pollInterval: POLL_MS,
      noHandleSignals: true,
      logger: new Logger(() => () => {}),
      // Otherwise nobody handles it if a job that is done can't be removed, and the process ends.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      taskList,
    });
    // One that was stopped already refuses to be.
    const stop = (): void => {
      runner.stop().catch(() => {});
    };
    // Not while it handles that itself.
    runner.events.on('worker:getJob:error', () => setImmediate(stop));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    await runner.promise.finally(() => signal.removeEventListener('abort', stop));
  } catch (error) {
    const reason = (error as Error).cause ?? error;
    if (!signal.aborted && !isPassing(reason)) throw reason;
  }
}

/**
 * A runner sleeps for minutes over errors of some codes, even if it is to end, and prints those that
 * come then. And it may release the connection on which it listens twice, which throws where nobody
 * handles it.
 */
function poolFor(pool: Pool, ending: AbortSignal): Pool {
  const orElse = async <T>(result: Promise<T>, instead: unknown): Promise<T> => {
    try {
      return await result;
    } catch (error) {
      if (ending.aborted) return instead as T;
      throw new Error((error as Error).message, { cause: error });
    }
  };
  const ask = async (): Promise<Pick<PoolClient, 'query' | 'release'>> => {
    const client = await orElse(pool.connect(), NOBODY);
    const query = (text: string, values?: unknown[]): Promise<QueryResult> =>
      orElse(client.query(text, values), NOTHING);
    return { query: query as PoolClient['query'], release: () => client.release() };
  };
  const listen = (to: Connected): void =>
    pool.connect((error, client, release) => to(error, client, once(release)));
  const connect = (to?: Connected): unknown => (to === undefined ? ask() : listen(to));
  return Object.assign(Object.create(pool) as Pool, { connect });
}

const NOTHING = { rows: [] };
const NOBODY = { query: async () => NOTHING, release: () => {} };

type Connected = Parameters<Pool['connect']>[0];

function once(release: () => void): () => void {
  let isReleased = false;
  return () => {
    if (!isReleased) release();
    isReleased = true;
  };
}
