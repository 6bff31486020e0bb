/** Job queue of the workers, in graphile-worker's tables. */
import type { Transaction } from './database/database.js';
import { QUEUE_SCHEMA } from './database/schema.js';

/** A job. Only a hint: the tables of runs and shards decide who owns the work. */
export interface QueuedJob {
  /** `plan`: cut an input; `shard`: import a shard; `finish`: make the report. */
  readonly task: 'plan' | 'shard' | 'finish';
  readonly run: number;
  /** Set for `plan` and `shard`. */
  readonly input?: number | undefined;
  readonly part?: number | undefined;
}

/** Practically unlimited: a job stays due however many workers were killed with it. */
const MAX_ATTEMPTS = 10_000;

type Queue = Pick<Transaction, 'rows'>;

/** Adds jobs. Replaces a waiting job of the same key; one that is running is repeated. */
export async function addJobs(queue: Queue, jobs: readonly QueuedJob[]): Promise<void> {
  if (jobs.length === 0) return;
  await queue.rows(
    `SELECT count(${QUEUE_SCHEMA}.add_job(j.job ->> 'task', j.job, job_key => j.key,
       max_attempts => ${MAX_ATTEMPTS}, flags => string_to_array(j.flags, ' ')))
     FROM unnest($1::json[], $2::text[], $3::text[]) AS j(job, key, flags)`,
    [
      jobs.map((job) => JSON.stringify(job)),
      jobs.map(({ task, run, input, part }) => jobKey(task, run, input, part)),
      jobs.map((job) => flagsOf(job).join(' ')),
    ],
  );
}

/** Flags by which a worker skips jobs: see {@link JobHandler.forbiddenFlags}. */
export const FLAG = {
  ofRun: (run: number): string => jobKey('run', run),
  ofInput: (run: number, input: number): string => jobKey('input', run, input),
  ofPlans: 'plan',
} as const;

function flagsOf({ task, run, input }: QueuedJob): readonly string[] {
  return [
    FLAG.ofRun(run),
    ...(input === undefined ? [] : [FLAG.ofInput(run, input)]),
    ...(task === 'plan' ? [FLAG.ofPlans] : []),
  ];
}

function jobKey(kind: string, ...numbers: readonly (number | undefined)[]): string {
  return [kind, ...numbers.filter((number) => number !== undefined)].join(':');
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
  const open = await queue.rows<Pick<QueuedJob, 'task'> & Record<'input' | 'part', number | null>>(
    `SELECT task, input, part FROM (
       SELECT 'shard' AS task, run, input, part FROM docferry.shards WHERE state = 'open'
       UNION ALL SELECT 'plan', run, input, NULL FROM docferry.inputs WHERE NOT planned
     ) AS open JOIN docferry.runs AS r USING (run)
     WHERE run = $1 AND r.state = 'active' AND r.stop IS NULL ${condition}
     ORDER BY task, input, part`,
    [run],
  );
  const jobs = open.map(({ task, input, part }) => {
    return { task, run, input: input ?? undefined, part: part ?? undefined };
  });
  await addJobs(queue, jobs);
  await addFinishJobAtEnd(queue, run);
}

/** Joins on job keys, as {@link jobKey} builds them. */
const IS_MISSING = `AND NOT EXISTS (SELECT FROM ${QUEUE_SCHEMA}.jobs AS j
  WHERE j.key = concat_ws(':', task, run, input, part)
  AND (j.locked_at IS NOT NULL OR j.run_at <= clock_timestamp()))`;

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
  const isAtEnd = `SELECT FROM docferry.runs AS r WHERE r.run = $1 AND ${IS_AT_END}`;
  const ended = await queue.rows(isAtEnd, [run]);
  if (ended.length > 0) await addJobs(queue, [{ task: 'finish', run }]);
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
