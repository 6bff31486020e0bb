/** The queue in which workers find what there is to do: graphile-worker's tables. */
import type { Transaction } from './database/database.js';
import { QUEUE_SCHEMA } from './database/schema.js';

/** Something of a run that one worker does. Whose it is by then, the tables of runs and shards say. */
export interface QueuedJob {
  /** `plan`: cut an input; `shard`: import a shard; `finish`: make the report. */
  readonly task: 'plan' | 'shard' | 'finish';
  readonly run: number;
  /** Of a plan and of a shard. */
  readonly input?: number | undefined;
  /** Of a shard. */
  readonly part?: number | undefined;
}

/** A job that many workers were killed with is still a job. */
const MAX_ATTEMPTS = 10_000;

type Queue = Pick<Transaction, 'rows'>;

/** Adds jobs. One of the same key that waits is replaced; one that is being done comes again. */
export async function addJobs(queue: Queue, jobs: readonly QueuedJob[]): Promise<void> {
  if (jobs.length === 0) return;
  await queue.rows(
    `SELECT count(${QUEUE_SCHEMA}.add_job(j.job ->> 'task', j.job, job_key => j.key,
       max_attempts => ${MAX_ATTEMPTS}, flags => string_to_array(j.flags, ' ')))
     FROM unnest($1::json[], $2::text[], $3::text[]) AS j(job, key, flags)`,
    [
      jobs.map((job) => JSON.stringify(job)),
      jobs.map(({ task, run, input, part }) => named(task, run, input, part)),
      jobs.map((job) => flagsOf(job).join(' ')),
    ],
  );
}

/** By which a worker leaves jobs to others: see {@link JobTaker.avoids}. */
export const FLAG = {
  ofRun: (run: number): string => named('run', run),
  ofInput: (run: number, input: number): string => named('input', run, input),
  ofPlans: 'plan',
} as const;

function flagsOf({ task, run, input }: QueuedJob): readonly string[] {
  return [
    FLAG.ofRun(run),
    ...(input === undefined ? [] : [FLAG.ofInput(run, input)]),
    ...(task === 'plan' ? [FLAG.ofPlans] : []),
  ];
}

function named(kind: string, ...numbers: readonly (number | undefined)[]): string {
  return [kind, ...numbers.filter((number) => number !== undefined)].join(':');
}

/** Adds jobs for all that there is to do of a run of which nobody does anything. */
export async function addJobsOf(queue: Queue, run: number): Promise<void> {
  await addOpenJobs(queue, run, '');
}

/** The same where somebody may be at it: for what has no job that is being done or due. */
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
  await addFinishAtEnd(queue, run);
}

/** By their keys, as {@link named} makes them. */
const IS_MISSING = `AND NOT EXISTS (SELECT FROM ${QUEUE_SCHEMA}.jobs AS j
  WHERE j.key = concat_ws(':', task, run, input, part)
  AND (j.locked_at IS NOT NULL OR j.run_at <= clock_timestamp()))`;

/** Removes jobs of a run that has ended; those that are being done end by themselves. */
export async function removeJobsOf(queue: Queue, run: number): Promise<void> {
  await queue.rows(
    `SELECT ${QUEUE_SCHEMA}.complete_jobs(array_agg(id)) FROM ${QUEUE_SCHEMA}.jobs WHERE flags ? $1`,
    [FLAG.ofRun(run)],
  );
}

/**
 * Once nobody has anything of a run and nothing is left, somebody is to finish it. One after the
 * other: of two that leave the last two shards at once, each would see the other's.
 */
export async function addFinishAtEnd(queue: Queue, run: number): Promise<void> {
  await lockRun(queue, run);
  const isAtEnd = `SELECT FROM docferry.runs AS r WHERE r.run = $1 AND ${IS_AT_END}`;
  const ended = await queue.rows(isAtEnd, [run]);
  if (ended.length > 0) await addJobs(queue, [{ task: 'finish', run }]);
}

export async function lockRun(queue: Queue, run: number): Promise<void> {
  await queue.rows('SELECT FROM docferry.runs WHERE run = $1 FOR NO KEY UPDATE', [run]);
}

/** Of a run `r`. One that is stopped is at its end once nobody has a shard of it. */
export const IS_AT_END = `r.state = 'active'
  AND NOT EXISTS (SELECT FROM docferry.shards AS s WHERE s.run = r.run
    AND (s.state = 'leased' OR (s.state = 'open' AND r.stop IS NULL)))
  AND (r.stop IS NOT NULL
    OR NOT EXISTS (SELECT FROM docferry.inputs AS i WHERE i.run = r.run AND NOT i.planned))`;
