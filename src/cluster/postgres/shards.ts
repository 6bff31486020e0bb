import { type Counts, OUTCOMES } from '../../model/record.js';
import type { Database, Patience, Transaction } from './database/database.js';
import type { ShardPlace } from './entries.js';
import { addJobs } from './queue.js';
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
   * Adds shards of an input, and says so to workers. Those that are there stay.
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
      await hint(
        transaction,
        added.map(({ part }) => ({ run, input, part })),
      );
      await transaction.rows(
        'UPDATE docferry.inputs SET hinted = clock_timestamp() WHERE run = $1 AND input = $2',
        [run, input],
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
      await hintEnd(transaction, run);
    });
  }

  /** Takes an input that nobody has cut on for as long as a lease lasts: who was at it is gone. */
  async takeUnplanned(run: number): Promise<number | undefined> {
    const [left] = await this.#database.rows<{ input: number }>(
      `UPDATE docferry.inputs AS i SET hinted = clock_timestamp()
       FROM (SELECT input FROM docferry.inputs AS u JOIN docferry.runs AS r USING (run)
         WHERE u.run = $1 AND NOT u.planned AND r.state = 'active' AND r.stop IS NULL
         AND u.hinted < clock_timestamp() - $2 * interval '1 millisecond'
         ORDER BY input LIMIT 1 FOR UPDATE OF u SKIP LOCKED) AS left_over
       WHERE i.run = $1 AND i.input = left_over.input RETURNING i.input`,
      [run, this.#session.times.expiryMs],
    );
    return left?.input;
  }

  /** Leaves it to another process to cut the input: the next who looks says so. */
  async leaveUnplanned(run: number, input: number): Promise<void> {
    await this.#database.rows(
      "UPDATE docferry.inputs SET hinted = '-infinity' WHERE run = $1 AND input = $2",
      [run, input],
    );
  }

  /**
   * Takes the first shard of a run that nobody has. Until it is taken, the run can't be stopped.
   * @param except inputs that this process can't read
   */
  async take(run: number, except: readonly number[] = []): Promise<Shard | undefined> {
    const lease = this.#session.numbers.next();
    let isTriedAgain = false;
    const row = await this.#database.transaction(async (transaction) => {
      const taken = isTriedAgain ? await leased(transaction, lease) : undefined;
      isTriedAgain = true;
      if (taken !== undefined) return taken;
      const [free] = await transaction.rows<ShardRow>(
        `WITH me AS (
           SELECT FROM docferry.sessions WHERE session = $2 AND NOT fenced FOR KEY SHARE
         ), active AS (
           SELECT FROM docferry.runs WHERE run = $1 AND state = 'active' AND stop IS NULL
             AND EXISTS (SELECT FROM me) FOR SHARE
         ), free AS (
           SELECT run, input, part FROM docferry.shards
           WHERE run = $1 AND state = 'open' AND input <> ALL ($3) AND EXISTS (SELECT FROM active)
           ORDER BY input, part LIMIT 1 FOR UPDATE SKIP LOCKED
         )
         UPDATE docferry.shards AS s
         SET state = 'leased', session = $2, lease = $4, epoch = s.epoch + 1, counts = NULL, report = NULL
         FROM free WHERE s.run = free.run AND s.input = free.input AND s.part = free.part
         RETURNING s.run, s.input, s.part, s.span, s.bytes, s.epoch`,
        [run, this.#session.id, except, lease],
      );
      return free;
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
        await hintEnd(transaction, run);
      }
      return left.length > 0;
    });
  }

  /** Gives a shard back as it was, for another worker: what was sent of it is in its entries. */
  async giveBack({ run, input, part }: Shard): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      const back = await transaction.rows(
        `UPDATE docferry.shards SET state = 'open', session = NULL, counts = NULL, hinted = clock_timestamp()
         WHERE run = $1 AND input = $2 AND part = $3 AND state = 'leased' AND session = $4
         RETURNING part`,
        [run, input, part, this.#session.id],
      );
      if (back.length > 0) await hint(transaction, [{ run, input, part }]);
      await hintEnd(transaction, run);
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

/** What was taken by a commit whose answer was lost. */
async function leased(transaction: Transaction, lease: number): Promise<ShardRow | undefined> {
  const [row] = await transaction.rows<ShardRow>(
    `SELECT run, input, part, span, bytes, epoch FROM docferry.shards
     WHERE state = 'leased' AND lease = $1`,
    [lease],
  );
  return row;
}

/** Who cuts an input adds shards more often than that, in milliseconds. */
const MAX_PLANNING_PAUSE_MS = 30_000;

/** Hints for what is open and that nobody came for: who was told may be gone. */
export async function hintAgain(
  database: Database,
  quietMs = 10_000,
  patience?: Patience,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const open = await transaction.rows<{ run: number; input: number; part: number }>(
      `UPDATE docferry.shards AS s SET hinted = clock_timestamp() FROM docferry.runs AS r
       WHERE s.state = 'open' AND r.run = s.run AND r.state = 'active' AND r.stop IS NULL
       AND s.hinted < clock_timestamp() - $1 * interval '1 millisecond'
       RETURNING s.run, s.input, s.part`,
      [quietMs],
    );
    await hint(transaction, open);
    const unplanned = await transaction.rows<{ run: number; input: number }>(
      `UPDATE docferry.inputs AS i SET hinted = clock_timestamp() FROM docferry.runs AS r
       WHERE NOT i.planned AND r.run = i.run AND r.state = 'active' AND r.stop IS NULL
       AND i.hinted < clock_timestamp() - $1 * interval '1 millisecond'
       RETURNING i.run, i.input`,
      [MAX_PLANNING_PAUSE_MS],
    );
    await hintPlans(transaction, unplanned);
    const runs = await transaction.rows<{ run: number }>(
      "SELECT run FROM docferry.runs WHERE state = 'active'",
    );
    for (const { run } of runs) await hintEnd(transaction, run);
  }, patience);
}

async function hintPlans(
  transaction: Transaction,
  inputs: readonly { readonly run: number; readonly input: number }[],
): Promise<void> {
  const jobs = inputs.map(({ run, input }) => ({
    key: `plan:${run}:${input}`,
    hint: { run, input },
  }));
  await addJobs(transaction, 'plan', jobs);
}

async function hint(
  transaction: Transaction,
  shards: readonly (ShardPlace & { readonly run: number })[],
): Promise<void> {
  const jobs = shards.map(({ run, input, part }) => ({
    key: `shard:${run}:${input}:${part}`,
    hint: { run },
  }));
  await addJobs(transaction, 'shard', jobs);
}

/**
 * Once nobody has anything of a run and nothing is left, somebody is to finish it. One after the
 * other: of two that leave the last two shards at once, each would see the other's.
 */
async function hintEnd(transaction: Transaction, run: number): Promise<void> {
  await lockRun(transaction, run);
  const [ended] = await transaction.rows<{ run: number }>(
    `SELECT r.run FROM docferry.runs AS r WHERE r.run = $1 AND ${IS_AT_END}`,
    [run],
  );
  if (ended === undefined) return;
  await addJobs(transaction, 'finish', [{ key: `finish:${run}`, hint: { run } }]);
}

/** Of a run `r`. One that is stopped is at its end once nobody has a shard of it. */
export const IS_AT_END = `r.state = 'active'
  AND NOT EXISTS (SELECT FROM docferry.shards AS s WHERE s.run = r.run
    AND (s.state = 'leased' OR (s.state = 'open' AND r.stop IS NULL)))
  AND (r.stop IS NOT NULL
    OR NOT EXISTS (SELECT FROM docferry.inputs AS i WHERE i.run = r.run AND NOT i.planned))`;

async function lockRun(transaction: Transaction, run: number): Promise<void> {
  await transaction.rows('SELECT FROM docferry.runs WHERE run = $1 FOR NO KEY UPDATE', [run]);
}

/** The order of counts in their column. */
export const COUNTED: readonly (keyof ShardCounts)[] = ['read', ...OUTCOMES, 'bytesRead'];

function countsRow(counts: ShardCounts): readonly number[] {
  return COUNTED.map((name) => counts[name]);
}
