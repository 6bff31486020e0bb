import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunnerOptions, WorkerEvents } from 'graphile-worker';
import type { Pool, PoolClient, QueryResult } from 'pg';
import type { Database } from './database/database.js';
import { isTransient } from './database/failures.js';
import { QUEUE_SCHEMA } from './database/schema.js';
import { addJobs, type QueuedJob } from './queue.js';

/** Interval of polling for jobs that no notification announced, in milliseconds. */
const POLL_MS = 1_000;

export interface JobHandler {
  /** Stops taking jobs; running ones are completed. */
  readonly signal: AbortSignal;
  readonly tasks: readonly QueuedJob['task'][];
  readonly concurrency: number;
  /** Called with the name under which jobs will be locked, before the first one is. */
  readonly onStart: (pool: string) => Promise<void>;
  /** Returns flags of jobs to leave to others; called before each job. */
  readonly forbiddenFlags: () => Promise<readonly string[]>;
  /** @param startNext lets the next job be taken before this one is done */
  readonly handle: (job: QueuedJob, startNext: () => void) => Promise<void>;
}

/**
 * Runs jobs until the signal is aborted. Survives a database that goes away meanwhile.
 * @throws the error of a failed job, which stays in the queue
 */
export async function runJobs(database: Database, handler: JobHandler): Promise<void> {
  const failing = new AbortController();
  const signal = AbortSignal.any([handler.signal, failing.signal]);
  const handle = async (job: QueuedJob, startNext: () => void): Promise<void> => {
    try {
      if (signal.aborted) await addJobs(database, [job]);
      else await handler.handle(job, startNext);
    } catch (error) {
      failing.abort(error);
      throw error;
    }
  };
  while (!signal.aborted) {
    await runQueue(database.pool, { ...handler, signal, handle });
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
  }
  if (failing.signal.aborted) throw failing.signal.reason;
}

/**
 * Runs a graphile-worker runner until the signal is aborted or the database goes away, after which
 * the runner may no longer receive notifications.
 */
async function runQueue(pool: Pool, { signal, ...handler }: JobHandler): Promise<void> {
  const { Logger, run } = await import('graphile-worker');
  const events = new EventEmitter() as WorkerEvents;
  const stopping = new AbortController();
  const ending = AbortSignal.any([signal, stopping.signal]);
  try {
    const runner = await run({
      ...optionsOf({ ...handler, signal: ending }, events),
      logger: new Logger(() => () => {}),
      pgPool: poolFor(pool, ending),
    });
    // `stop` rejects if the runner has already stopped.
    const stop = (): void => {
      stopping.abort();
      runner.stop().catch(() => {});
    };
    // Deferred, because the runner is still handling the error.
    events.on('worker:getJob:error', () => setImmediate(stop));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    await runner.promise.finally(() => signal.removeEventListener('abort', stop));
  } catch (error) {
    const reason = (error as Error).cause ?? error;
    if (!signal.aborted && !isTransient(reason)) throw reason;
  }
}

function optionsOf(
  { signal: ending, tasks, concurrency, onStart, forbiddenFlags, handle }: JobHandler,
  events: WorkerEvents,
): RunnerOptions {
  const turn = new Turn();
  events.on('worker:getJob:empty', () => turn.end());
  events.on('worker:getJob:error', () => turn.end());
  const doTask = async (job: unknown): Promise<void> => {
    const { end } = turn;
    await handle(job as QueuedJob, end).finally(end);
  };
  // graphile-worker prints errors of hooks, so suppress those during shutdown.
  const ignoreWhenEnding = async <T>(promise: Promise<T>, fallback: T): Promise<T> =>
    await promise.catch((error: unknown) => {
      if (ending.aborted) return fallback;
      throw error;
    });
  let started: Promise<void> | undefined;
  const startWorker = async (pool: string): Promise<void> => {
    started ??= onStart(pool);
    await ignoreWhenEnding(started, undefined);
  };
  return {
    schema: QUEUE_SCHEMA,
    events,
    concurrency,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    taskList: Object.fromEntries(tasks.map((task) => [task, doTask])),
    forbiddenFlags: async () => {
      await turn.take();
      return [...(await ignoreWhenEnding(forbiddenFlags(), []))];
    },
    preset: {
      // Avoids an unhandled rejection, which would end the process, if a completed job can't be
      // removed.
      worker: {
        ...{ completeJobBatchDelay: 0, failJobBatchDelay: 0 },
        // Poolers in transaction mode run each statement on another connection.
        preparedStatements: false,
      },
      plugins: [
        {
          ...{ name: 'docferry', version: '1' },
          worker: { hooks: { startWorker: (_, { worker }) => startWorker(worker.workerPool.id) } },
        },
      ],
    },
  };
}

/**
 * Mutex for taking jobs. Its holder may keep it: while this process reads a shard, it leaves the
 * next ones to others.
 */
class Turn {
  #last: Promise<void> = Promise.resolve();
  end: () => void = () => {};

  async take(): Promise<void> {
    const before = this.#last;
    let end = (): void => {};
    this.#last = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    this.end = end;
  }
}

/**
 * Wraps the pool to work around graphile-worker: its runner sleeps for minutes after errors with
 * certain codes, even when stopping, prints errors during shutdown, and may release its listening
 * connection twice, which throws an unhandled error.
 */
function poolFor(pool: Pool, ending: AbortSignal): Pool {
  const settleWhenEnding = async <T>(result: Promise<T>, fallback: unknown): Promise<T> => {
    try {
      return await result;
    } catch (error) {
      if (ending.aborted) return fallback as T;
      throw new Error((error as Error).message, { cause: error });
    }
  };
  const connectClient = async (): Promise<Pick<PoolClient, 'query' | 'release'>> => {
    const client = await settleWhenEnding(pool.connect(), IDLE_CLIENT);
    const query = (text: string, values?: unknown[]): Promise<QueryResult> =>
      settleWhenEnding(client.query(text, values), EMPTY_RESULT);
    return { query: query as PoolClient['query'], release: () => client.release() };
  };
  const listen = (callback: ConnectCallback): void =>
    pool.connect((error, client, release) => {
      let releaseOnce = release;
      callback(error, client, () => {
        releaseOnce();
        releaseOnce = () => {};
      });
    });
  const connect = (callback?: ConnectCallback): unknown =>
    callback === undefined ? connectClient() : listen(callback);
  return Object.assign(Object.create(pool) as Pool, { connect });
}

const EMPTY_RESULT = { rows: [] };
const IDLE_CLIENT = { query: async () => EMPTY_RESULT, release: () => {} };

type ConnectCallback = Parameters<Pool['connect']>[0];
