import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunnerOptions, WorkerEvents } from 'graphile-worker';
import type { Pool, PoolClient, QueryResult } from 'pg';
import type { Database } from './database/database.js';
import { isPassing } from './database/failures.js';
import { QUEUE_SCHEMA } from './database/schema.js';
import { addJobs, type QueuedJob } from './queue.js';

/** How often it is asked for jobs that nobody was woken up for, in milliseconds. */
const POLL_MS = 1_000;

/** Who takes jobs. */
export interface JobTaker {
  /** Ends it, once the jobs in hand are done. */
  readonly signal: AbortSignal;
  readonly tasks: readonly QueuedJob['task'][];
  /** Jobs that are done at the same time. */
  readonly atOnce: number;
  /** Is told under which name jobs will be locked, before the first is. */
  readonly begin: (pool: string) => Promise<void>;
  /** Flags of jobs that are left to others; asked before each job. */
  readonly avoids: () => Promise<readonly string[]>;
  /** @param next lets the next job be taken, before this one is done */
  readonly take: (job: QueuedJob, next: () => void) => Promise<void>;
}

/**
 * Takes jobs until the signal is aborted, also if the database goes away meanwhile.
 * @throws what a job failed with: it stays in the queue
 */
export async function runJobs(database: Database, taker: JobTaker): Promise<void> {
  const failing = new AbortController();
  const signal = AbortSignal.any([taker.signal, failing.signal]);
  const take = async (job: QueuedJob, next: () => void): Promise<void> => {
    try {
      if (signal.aborted) await addJobs(database, [job]);
      else await taker.take(job, next);
    } catch (error) {
      failing.abort(error);
      throw error;
    }
  };
  while (!signal.aborted) {
    await runQueue(database.pool, { ...taker, signal, take });
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
  }
  if (failing.signal.aborted) throw failing.signal.reason;
}

/** Until the signal is aborted, or the database goes away: a runner may stay deaf after that. */
async function runQueue(pool: Pool, { signal, ...taker }: JobTaker): Promise<void> {
  const { Logger, run } = await import('graphile-worker');
  const events = new EventEmitter() as WorkerEvents;
  const stopping = new AbortController();
  const ending = AbortSignal.any([signal, stopping.signal]);
  try {
    const runner = await run({
      ...optionsOf({ ...taker, signal: ending }, events),
      logger: new Logger(() => () => {}),
      pgPool: poolFor(pool, ending),
    });
    // One that was stopped already refuses to be.
    const stop = (): void => {
      stopping.abort();
      runner.stop().catch(() => {});
    };
    // Not while it handles that itself.
    events.on('worker:getJob:error', () => setImmediate(stop));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    await runner.promise.finally(() => signal.removeEventListener('abort', stop));
  } catch (error) {
    const reason = (error as Error).cause ?? error;
    if (!signal.aborted && !isPassing(reason)) throw reason;
  }
}

function optionsOf(
  { signal: ending, tasks, atOnce, begin, avoids, take }: JobTaker,
  events: WorkerEvents,
): RunnerOptions {
  const turn = new Turn();
  events.on('worker:getJob:empty', () => turn.end());
  events.on('worker:getJob:error', () => turn.end());
  const doTask = async (job: unknown): Promise<void> => {
    const { end } = turn;
    await take(job as QueuedJob, end).finally(end);
  };
  // What fails while it ends is printed.
  const unlessEnding = async <T>(asked: Promise<T>, instead: T): Promise<T> =>
    await asked.catch((error: unknown) => {
      if (ending.aborted) return instead;
      throw error;
    });
  let begun: Promise<void> | undefined;
  const startWorker = async (pool: string): Promise<void> => {
    begun ??= begin(pool);
    await unlessEnding(begun, undefined);
  };
  return {
    schema: QUEUE_SCHEMA,
    events,
    concurrency: atOnce,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    taskList: Object.fromEntries(tasks.map((task) => [task, doTask])),
    forbiddenFlags: async () => {
      await turn.take();
      return [...(await unlessEnding(avoids(), []))];
    },
    preset: {
      // Otherwise nobody handles it if a job that is done can't be removed, and the process ends.
      worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 },
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
 * One after the other looks for a job, and holds on to its turn for as long as it likes: a process
 * that has to read one shard leaves the next ones to others.
 */
class Turn {
  #last: Promise<void> = Promise.resolve();
  /** Ends the turn of who has it. */
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
    pool.connect((error, client, release) => {
      let releaseOnce = release;
      to(error, client, () => {
        releaseOnce();
        releaseOnce = () => {};
      });
    });
  const connect = (to?: Connected): unknown => (to === undefined ? ask() : listen(to));
  return Object.assign(Object.create(pool) as Pool, { connect });
}

const NOTHING = { rows: [] };
const NOBODY = { query: async () => NOTHING, release: () => {} };

type Connected = Parameters<Pool['connect']>[0];
