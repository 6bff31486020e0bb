import { setTimeout as sleep } from 'node:timers/promises';
import type { TaskList } from 'graphile-worker';
import type { Pool, PoolClient } from 'pg';
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
      pgPool: poolFor(pool),
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
    if (!isPassing((error as Error).cause ?? error)) throw error;
  }
}

/**
 * Over errors of some codes a runner sleeps for minutes, even if it is to end. And it may release the
 * connection on which it listens twice: that throws where nobody handles it.
 */
function poolFor(pool: Pool): Pool {
  const connect = (listen?: Connected): Promise<PoolClient> | undefined => {
    if (listen === undefined) return pool.connect().catch(throwWithoutCode);
    pool.connect((error, client, release) => listen(error, client, once(release)));
    return undefined;
  };
  return Object.assign(Object.create(pool) as Pool, { connect });
}

type Connected = Parameters<Pool['connect']>[0];

function throwWithoutCode(error: Error): never {
  throw new Error(error.message, { cause: error });
}

function once(release: () => void): () => void {
  let isReleased = false;
  return () => {
    if (!isReleased) release();
    isReleased = true;
  };
}
