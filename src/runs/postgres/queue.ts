/** The queue that tells workers what there is to do. A job is a hint: leases are in the tables. */
import type { Database, Transaction } from './database/database.js';
import { QUEUE_SCHEMA } from './database/schema.js';

/** All kinds of jobs. */
export const TASKS = { plan: 'plan', shard: 'shard', finish: 'finish' } as const;

/** See {@link TASKS}. */
export type TaskName = keyof typeof TASKS;

/** Which run a job is of; the rest finds the worker. */
export interface JobHint {
  readonly run: number;
  /** Of a plan. */
  readonly input?: number;
}

/** Makes the queue's own tables. */
export async function makeQueue(database: Database): Promise<void> {
  const [found] = await database.rows<{ there: string | null }>(
    `SELECT to_regproc('${QUEUE_SCHEMA}.add_job')::text AS there`,
  );
  if (found?.there != null) return;
  const { Logger, runMigrations } = await import('graphile-worker');
  await runMigrations({
    pgPool: database.pool,
    schema: QUEUE_SCHEMA,
    logger: new Logger(() => () => {}),
  });
}

/** One of the same key replaces the one that waits; one that runs is left alone. */
export async function addJobs(
  transaction: Pick<Transaction, 'rows'>,
  task: TaskName,
  jobs: readonly { readonly key: string; readonly hint: JobHint }[],
): Promise<void> {
  if (jobs.length === 0) return;
  await transaction.rows(
    `SELECT count(${QUEUE_SCHEMA}.add_job($1, j.hint::json, job_key => j.key, max_attempts => 5))
     FROM unnest($2::text[], $3::text[]) AS j(key, hint)`,
    [task, jobs.map(({ key }) => key), jobs.map(({ hint }) => JSON.stringify(hint))],
  );
}
