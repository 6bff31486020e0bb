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

/** Of graphile-worker: who has another one may have to change its tables. */
const QUEUE_VERSION = '0.17.3';

/** A number of our own, so that two processes don't make the tables at once. */
const QUEUE_LOCK = 0x64_66_71;

/** Makes the queue's own tables. That takes several transactions, and somebody may be at it. */
export async function makeQueue(database: Database): Promise<void> {
  if (await isWhole(database)) return;
  const { Logger, runMigrations } = await import('graphile-worker');
  await database.transaction(async (transaction) => {
    await transaction.rows('SELECT pg_advisory_xact_lock($1)', [QUEUE_LOCK]);
    if (await isWhole(transaction)) return;
    await runMigrations({
      pgPool: database.pool,
      schema: QUEUE_SCHEMA,
      logger: new Logger(() => () => {}),
    });
    await transaction.rows('UPDATE docferry.settings SET queue = $1', [QUEUE_VERSION]);
  });
}

async function isWhole(reader: Pick<Transaction, 'rows'>): Promise<boolean> {
  const rows = await reader.rows('SELECT FROM docferry.settings WHERE queue = $1', [QUEUE_VERSION]);
  return rows.length > 0;
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
