import { type Counts, OUTCOMES } from '../../model/record.js';
import type { Database, Transaction } from './database/database.js';
import type { ShardPlace } from './entries.js';
import { addFinishAtEnd, addJobs, lockRun } from './queue.js';
import type { Session } from './session.js';

/** A part of an input that one process takes through the pipeline. */
export interface Shard extends ShardPlace {
  readonly run: number;
  /** As the planner wrote it, in its own form; `null`: the whole input. */
  readonly span: unknown;
  /** How large it is, where the input lies. */
  readonly bytes: number;
  /** How often it was taken before. */
  readonly epoch: number;
}

/** A shard that is found while an input is planned. */
export type PlannedShard = Pick<Shard, 'part' | 'span' | 'bytes'>;

/** How far a shard is, or many are together. */
export type ShardCounts = Counts & { readonly bytesRead: number };

/** What came of a shard. */
export interface ShardEnd {
  /** Whether all was done that there was to do; otherwise something is left. */
  readonly isDone: boolean;
  /** In the form of who merges them. */
  readonly report: string;
  readonly counts: ShardCounts;
  /** Made this time. */
  readonly requests: number;
  readonly retries: number;
}

/** The shards of runs, as one session takes and leaves them. */
export class Shards {
  readonly #database: Database;
  readonly #session: Session;

  constructor(database: Database, session: Session) {
    this.#database = database;
    this.#session = session;
  }

  /**
   * Adds shards of an input, and their jobs. Those that are there stay.
   * @returns whether the run continues; otherwise nothing was added, and there is no more to be
   */
  async add(run: number, input: number, shards: readonly PlannedShard[]): Promise<boolean> {
    return await this.#database.transaction(async (transaction) => {
      if (!(await isActive(transaction, run))) return false;
      const added = await transaction.rows<{ part: number }>(
        `INSERT INTO docferry.shards (run, input, part, span, bytes)
         SELECT $1, $2, s.part, s.span, s.bytes
         FROM unnest($3::integer[], $4::text[], $5::bigint[]) AS s(part, span, bytes)
         ON CONFLICT DO NOTHING RETURNING part`,
        [
          ...[run, input, shards.map(({ part }) => part)],
          shards.map(({ span }) => JSON.stringify(span)),
          shards.map(({ bytes }) => bytes),
        ],
      );
      const jobs = added.map(({ part }) => ({ task: 'shard', run, input, part }) as const);
      await addJobs(transaction, jobs);
      return true;
    });
  }

  /**
   * The input has no more shards.
   * @param problem why it could not be cut, or read, to its end
   */
  async planned(run: number, input: number, problem: string | null): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      // Before the weaker lock: two that hold that one would each wait for the other to upgrade it.
      await lockRun(transaction, run);
      if (!(await isActive(transaction, run))) return;
      await transaction.rows(
        `UPDATE docferry.inputs SET planned = true, problem = coalesce(problem, $3)
         WHERE run = $1 AND input = $2`,
        [run, input, problem],
      );
      await addFinishAtEnd(transaction, run);
    });
  }

  /**
   * Takes a shard; `undefined`: others have it, or there is nothing left to do of it. Until it is
   * taken, the run can't be stopped.
   */
  async take({ run, input, part }: ShardPlace & { run: number }): Promise<Shard | undefined> {
    const lease = this.#session.nextNumber();
    const [row] = await this.#database.rows<Shard & { readonly span: string }>(
      `WITH me AS (
         SELECT FROM docferry.sessions WHERE session = $2 AND NOT fenced FOR KEY SHARE
       ), active AS (
         SELECT FROM docferry.runs WHERE run = $1 AND state = 'active' AND stop IS NULL
           AND EXISTS (SELECT FROM me) FOR SHARE
       )
       UPDATE docferry.shards SET state = 'leased', session = $2, lease = $3,
         epoch = epoch + (state = 'open')::integer, counts = NULL, report = NULL
       WHERE run = $1 AND input = $4 AND part = $5 AND (state = 'open' AND EXISTS (SELECT FROM active)
         -- It has it already if the answer was lost.
         OR state = 'leased' AND lease = $3)
       RETURNING run, input, part, span, bytes, epoch`,
      [run, this.#session.id, lease, input, part],
    );
    return row && { ...row, span: JSON.parse(row.span) as unknown };
  }

  /** Keeps rejected records of a shard; those of who had it before don't count any more. */
  async reject(shard: Shard, number: number, lines: string): Promise<void> {
    await this.#database.rows(
      `INSERT INTO docferry.rejects (run, input, part, epoch, number, lines)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
      [shard.run, shard.input, shard.part, shard.epoch, number, lines],
    );
  }

  /**
   * Gives a shard back, and says what came of it; what was sent of it is in its entries.
   * @param told left out by who did nothing of it
   * @returns whether it was this session's still
   */
  async leave({ run, input, part, epoch }: Shard, told?: ShardEnd): Promise<boolean> {
    const { isDone = false, report = null, counts, requests = 0, retries = 0 } = told ?? {};
    return await this.#database.transaction(async (transaction) => {
      const left = await transaction.rows(
        `UPDATE docferry.shards SET state = $5, report = $6, counts = $7, session = NULL,
         requests = requests + $8, retries = retries + $9
         WHERE run = $1 AND input = $2 AND part = $3 AND state = 'leased' AND session = $4
         RETURNING part`,
        [
          ...[run, input, part, this.#session.id, isDone ? 'done' : 'open', report],
          ...[counts === undefined ? null : countsRow(counts), requests, retries],
        ],
      );
      if (left.length === 0) return false;
      await transaction.rows(
        'DELETE FROM docferry.rejects WHERE run = $1 AND input = $2 AND part = $3 AND epoch <> $4',
        [run, input, part, epoch],
      );
      if (!isDone) await addJobs(transaction, [{ task: 'shard', run, input, part }]);
      await addFinishAtEnd(transaction, run);
      return true;
    });
  }

  /** Says how far it is. */
  async tell({ run, input, part }: Shard, counts: ShardCounts): Promise<void> {
    await this.#database.rows(
      `UPDATE docferry.shards SET counts = $5
       WHERE run = $1 AND input = $2 AND part = $3 AND state = 'leased' AND session = $4`,
      [run, input, part, this.#session.id, countsRow(counts)],
    );
  }
}

/** Whether a run continues. It does until the transaction ends. */
async function isActive(transaction: Transaction, run: number): Promise<boolean> {
  const active = await transaction.rows(
    "SELECT FROM docferry.runs WHERE run = $1 AND state = 'active' AND stop IS NULL FOR SHARE",
    [run],
  );
  return active.length > 0;
}

/** The order of counts in their column. */
const COUNTED: readonly (keyof ShardCounts)[] = ['read', ...OUTCOMES, 'bytesRead'];

function countsRow(counts: ShardCounts): readonly number[] {
  return COUNTED.map((name) => counts[name]);
}

/** How far a run's shards are. */
export interface ShardsProgress {
  /** Of shards that are processed now as their workers said last; of others what came of them. */
  readonly counts: ShardCounts;
  /** How many shards are in which state. */
  readonly shards: Readonly<Record<ShardState, number>>;
  readonly planned: boolean;
  readonly workers: readonly WorkerPresence[];
}

/** See `docferry.shards`. */
export type ShardState = 'open' | 'leased' | 'done';

/** A process that has something of a run. */
interface WorkerPresence {
  readonly name: string;
  readonly shards: number;
  /** Milliseconds since it said that it is there. */
  readonly silentMs: number;
}

export async function readProgress(database: Database, run: number): Promise<ShardsProgress> {
  const [sums] = await database.rows<Sums>(SUMS, [run]);
  const { open, leased, done, planned, ...counts } = sums as Sums;
  const workers = await database.rows<WorkerPresence>(
    `SELECT w.name, count(*)::integer AS shards,
       (extract(epoch FROM clock_timestamp() - max(w.seen)) * 1000)::double precision AS "silentMs"
     FROM docferry.shards AS s JOIN docferry.sessions AS w ON w.session = s.session
     WHERE s.run = $1 AND s.state = 'leased' GROUP BY w.session, w.name ORDER BY w.session`,
    [run],
  );
  return { counts, shards: { open, leased, done }, planned, workers };
}

type Sums = ShardCounts & Record<ShardState, number> & Pick<ShardsProgress, 'planned'>;

const SUMS = `SELECT
  ${COUNTED.map((name, at) => `coalesce(sum(counts[${at + 1}]), 0)::bigint AS "${name}"`).join(', ')},
  ${['open', 'leased', 'done'].map((state) => `count(*) FILTER (WHERE state = '${state}') AS ${state}`).join(', ')},
  (SELECT coalesce(bool_and(planned), true) FROM docferry.inputs WHERE run = $1) AS planned
  FROM docferry.shards WHERE run = $1`;
