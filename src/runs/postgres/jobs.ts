import type { Database } from './database/database.js';
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
 * Takes jobs one after the other until the signal is aborted. A job is a hint of what there is to
 * do: what comes of it stands in the tables, and one that fails is given again by a sweep.
 */
export async function runJobs(database: Database, { signal, take }: JobTaker): Promise<void> {
  const { Logger, run } = await import('graphile-worker');
  let failure: { readonly error: unknown } | undefined;
  const tasks = Object.keys(TASKS).map((name) => {
    const task = async (payload: unknown): Promise<void> => {
      if (signal.aborted) return;
      try {
        await take(name as TaskName, payload as JobHint);
      } catch (error) {
        failure ??= { error };
        stop();
      }
    };
    return [name, task] as const;
  });
  const runner = await run({
    pgPool: database.pool,
    schema: QUEUE_SCHEMA,
    concurrency: 1,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: Object.fromEntries(tasks),
  });
  // One that was stopped already refuses to be.
  const stop = (): void => {
    runner.stop().catch(() => {});
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    await runner.promise;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  if (failure !== undefined) throw failure.error;
}
