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
  /** `done`: all that there was to do; `stopped`: the run was stopped before. */
  readonly end: 'done' | 'stopped';
  /** In the form of who merges them. */
  readonly report: string;
  readonly counts: ShardCounts;
  /** Made this time. */
  readonly requests: number;
  readonly retries: number;
}

/** What a run is stopped for, for all who process it. */
export interface RunStop {
  readonly kind: string;
  readonly message: string;
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
          run,
          input,
          shards.map(({ part }) => part),
          shards.map(({ span }) => JSON.stringify(span)),
          shards.map(({ bytes }) => bytes),
        ],
      );
      await addJobs(
        transaction,
        added.map(({ part }) => ({ task: 'shard', run, input, part })),
      );
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
    const lease = this.#session.numbers.next();
    const row = await this.#database.transaction(async (transaction) => {
      const [taken] = await transaction.rows<ShardRow>(
        `WITH me AS (
           SELECT FROM docferry.sessions WHERE session = $2 AND NOT fenced FOR KEY SHARE
         ), active AS (
           SELECT FROM docferry.runs WHERE run = $1 AND state = 'active' AND stop IS NULL
             AND EXISTS (SELECT FROM me) FOR SHARE
         )
         UPDATE docferry.shards AS s
         SET state = 'leased', session = $2, lease = $3, epoch = s.epoch + 1, counts = NULL, report = NULL
         WHERE s.run = $1 AND s.input = $4 AND s.part = $5 AND s.state = 'open'
         AND EXISTS (SELECT FROM active)
         RETURNING s.run, s.input, s.part, s.span, s.bytes, s.epoch`,
        [run, this.#session.id, lease, input, part],
      );
      return taken ?? (await leased(transaction, lease));
    });
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
   * Says what came of a shard, and gives it back.
   * @returns whether it was this session's still
   */
  async leave(shard: Shard, told: ShardEnd): Promise<boolean> {
    const { end, report, counts, requests, retries } = told;
    const { run, input, part } = shard;
    return await this.#database.transaction(async (transaction) => {
      const left = await transaction.rows(
        `UPDATE docferry.shards SET state = $5, report = $6, counts = $7, session = NULL,
         requests = requests + $8, retries = retries + $9
         WHERE run = $1 AND input = $2 AND part = $3 AND state = 'leased' AND session = $4
         RETURNING part`,
        [run, input, part, this.#session.id, end, report, countsRow(counts), requests, retries],
      );
      if (left.length > 0) {
        await transaction.rows(
          'DELETE FROM docferry.rejects WHERE run = $1 AND input = $2 AND part = $3 AND epoch <> $4',
          [run, input, part, shard.epoch],
        );
        await addFinishAtEnd(transaction, run);
      }
      return left.length > 0;
    });
  }

  /** Gives a shard back as it was, for another worker: what was sent of it is in its entries. */
  async giveBack({ run, input, part }: Shard): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      const back = await transaction.rows(
        `UPDATE docferry.shards SET state = 'open', session = NULL, counts = NULL
         WHERE run = $1 AND input = $2 AND part = $3 AND state = 'leased' AND session = $4
         RETURNING part`,
        [run, input, part, this.#session.id],
      );
      if (back.length > 0) await addJobs(transaction, [{ task: 'shard', run, input, part }]);
      await addFinishAtEnd(transaction, run);
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

type ShardRow = Omit<Shard, 'span'> & { readonly span: string };

/** What was taken by a commit whose answer was lost, if it was. */
async function leased(transaction: Transaction, lease: number): Promise<ShardRow | undefined> {
  const [row] = await transaction.rows<ShardRow>(
    `SELECT run, input, part, span, bytes, epoch FROM docferry.shards
     WHERE state = 'leased' AND lease = $1`,
    [lease],
  );
  return row;
}

/** The order of counts in their column. */
export const COUNTED: readonly (keyof ShardCounts)[] = ['read', ...OUTCOMES, 'bytesRead'];

function countsRow(counts: ShardCounts): readonly number[] {
  return COUNTED.map((name) => counts[name]);
}
