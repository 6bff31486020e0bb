/** Job queue of the workers, in graphile-worker's tables. */
import type { Transaction } from './database/database.js';
import { QUEUE_SCHEMA } from './database/schema.js';

/** A job. Only a hint: the tables of runs and shards decide who owns the work. */
export interface QueuedJob {
  /** `plan`: cut an input; `shard`: import a shard; `finish`: make the report. */
  readonly task: 'plan' | 'shard' | 'finish';
  readonly run: number;
  /** Set for `plan` and `shard`. */
  readonly input?: number;
  readonly part?: number;
}

/** Flags by which a worker skips jobs: see {@link JobHandler.forbiddenFlags}. */
export const FLAG = {
  ofRun: (run: number): string => `run:${run}`,
  ofInput: (run: number, input: number): string => `input:${run}:${input}`,
  ofPlans: 'plan',
} as const;

type Queue = Pick<Transaction, 'rows'>;

/** Practically unlimited: a job stays due however many workers were killed with it. */
const MAX_ATTEMPTS = 10_000;

const KEY = "concat_ws(':', task, run, input, part)";

/**
 * Adds rows of a relation `j` as jobs. Replaces a waiting job of the same key; one that is running
 * is repeated.
 */
const ADD = `SELECT count(${QUEUE_SCHEMA}.add_job(task,
    json_strip_nulls(json_build_object('task', task, 'run', run, 'input', input, 'part', part)),
    job_key => ${KEY}, max_attempts => ${MAX_ATTEMPTS}, flags => array_remove(
      ARRAY['run:' || run, 'input:' || run || ':' || input, CASE task WHEN 'plan' THEN task END], NULL)))
  FROM`;

export async function addJobs(queue: Queue, jobs: readonly QueuedJob[]): Promise<void> {
  await queue.rows(
    `${ADD} json_to_recordset($1) AS j(task text, run integer, input integer, part integer)`,
    [JSON.stringify(jobs)],
  );
}

/** Adds jobs for all open work of a run that has none yet. */
export async function addJobsOf(queue: Queue, run: number): Promise<void> {
  await addOpenJobs(queue, run, '');
}

/** Adds jobs for open work of a run that has no job running or due. */
export async function addMissingJobs(queue: Queue, run: number): Promise<void> {
  await addOpenJobs(queue, run, IS_MISSING);
}

async function addOpenJobs(queue: Queue, run: number, condition: string): Promise<void> {
  await queue.rows(
    `${ADD} (SELECT task, run, input, part FROM (
       SELECT 'shard' AS task, run, input, part FROM docferry.shards WHERE state = 'open'
       UNION ALL SELECT 'plan', run, input, NULL FROM docferry.inputs WHERE NOT planned
     ) AS open JOIN docferry.runs AS r USING (run)
     WHERE run = $1 AND r.state = 'active' AND r.stop IS NULL ${condition}
     ORDER BY task, input, part) AS j`,
    [run],
  );
  await addFinishJobAtEnd(queue, run);
}

const IS_MISSING = `AND NOT EXISTS (SELECT FROM ${QUEUE_SCHEMA}.jobs AS other WHERE other.key = ${KEY}
  AND (other.locked_at IS NOT NULL OR other.run_at <= clock_timestamp()))`;

/** Removes the jobs of a run that has ended. Running ones end by themselves. */
export async function removeJobsOf(queue: Queue, run: number): Promise<void> {
  await queue.rows(
    `SELECT ${QUEUE_SCHEMA}.complete_jobs(array_agg(id)) FROM ${QUEUE_SCHEMA}.jobs WHERE flags ? $1`,
    [FLAG.ofRun(run)],
  );
}

/**
 * Adds the job that finishes a run, once no shard is leased or open. Locks the run: of two sessions
 * that release the last two shards concurrently, neither would see the other's release.
 */
export async function addFinishJobAtEnd(queue: Queue, run: number): Promise<void> {
  await lockRun(queue, run);
  await queue.rows(
    `${ADD} (SELECT 'finish' AS task, run, NULL::integer AS input, NULL::integer AS part
     FROM docferry.runs AS r WHERE r.run = $1 AND ${IS_AT_END}) AS j`,
    [run],
  );
}

export async function lockRun(queue: Queue, run: number): Promise<void> {
  await queue.rows('SELECT FROM docferry.runs WHERE run = $1 FOR NO KEY UPDATE', [run]);
}

/** SQL condition for run `r`: all its work is done, or it was stopped and no shard is leased. */
export const IS_AT_END = `r.state = 'active'
  AND NOT EXISTS (SELECT FROM docferry.shards AS s WHERE s.run = r.run
    AND (s.state = 'leased' OR (s.state = 'open' AND r.stop IS NULL)))
  AND (r.stop IS NOT NULL
    OR NOT EXISTS (SELECT FROM docferry.inputs AS i WHERE i.run = r.run AND NOT i.planned))`;
