import { type Counts, OUTCOMES } from '../../model/record.js';
import type { Database, RetryPolicy, Transaction } from './database/database.js';
import type { ShardKey } from './entries.js';
import type { Session } from './session.js';

/** A part of an input that one worker processes as a whole. */
export interface Shard extends ShardKey {
  readonly run: number;
  /** In the planner's own format; `null` for the whole input. */
  readonly span: unknown;
  /** Number of times it was taken before. */
  readonly epoch: number;
}

export type PlannedShard = Pick<Shard, 'part' | 'span'>;

export type ShardCounts = Counts & { readonly bytesRead: number };

/** Result of a shard when it is released. */
export interface ShardEnd {
  /** `false` if some of it is left to do. */
  readonly isDone: boolean;
  /** Serialised `ShardReport`. */
  readonly report: string;
  /** Final ones: a periodic update may be retried late. */
  readonly counts: ShardCounts;
  /** Requests by this process. */
  readonly requests: number;
  readonly retries: number;
  readonly readToEnd: boolean;
}

/** Work that a session may take. */
export interface WorkFilter {
  /** Numbers of runs. */
  readonly runs: readonly number[];
  /** Inputs to leave to others, as `run:input`. */
  readonly unreadable: readonly string[];
}

/** Inputs and shards as one session takes and releases them. */
export class Shards {
  readonly #database: Database;
  readonly #session: Session;

  constructor(database: Database, session: Session) {
    this.#database = database;
    this.#session = session;
  }

  /**
   * Takes an input to cut into shards; `undefined` if there is none. A session cuts one at a time, so
   * a retry after a lost answer gets the same one.
   */
  async takeInput(
    { runs, unreadable }: WorkFilter,
    retry?: RetryPolicy,
  ): Promise<Pick<Shard, 'run' | 'input'> | undefined> {
    const [taken] = await this.#database.rows<Pick<Shard, 'run' | 'input'>>(
      `WITH me AS (${LOCK_SESSION}), next AS (
         SELECT i.run, i.input FROM docferry.inputs AS i, me
         WHERE NOT i.planned AND (i.session IS NULL OR i.session = $1)
           AND i.run = ANY ($2) AND concat_ws(':', i.run, i.input) <> ALL ($3)
         ORDER BY i.run, i.input LIMIT 1 FOR UPDATE OF i SKIP LOCKED
       )
       UPDATE docferry.inputs AS i SET session = $1 FROM next
       WHERE i.run = next.run AND i.input = next.input RETURNING i.run, i.input`,
      [this.#session.id, runs, unreadable],
      retry,
    );
    return taken;
  }

  /** Leaves an input that isn't cut to others. */
  async releaseInput(run: number, input: number): Promise<void> {
    await this.#database.rows(
      'UPDATE docferry.inputs SET session = NULL WHERE run = $1 AND input = $2 AND session = $3',
      [run, input, this.#session.id],
    );
  }

  /**
   * Adds a shard of an input, unless it exists.
   * @returns `false` if the run has ended or was stopped; then nothing was added
   */
  async add(run: number, input: number, { part, span }: PlannedShard): Promise<boolean> {
    return await this.#database.transaction(async (transaction) => {
      if (!(await isActive(transaction, run))) return false;
      await transaction.rows(
        `INSERT INTO docferry.shards (run, input, part, span) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING`,
        [run, input, part, JSON.stringify(span)],
      );
      return true;
    });
  }

  /**
   * Marks an input as completely cut.
   * @param problem the error that ended it early
   */
  async planned(run: number, input: number, problem: string | null): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      if (!(await isActive(transaction, run))) return;
      await transaction.rows(
        `UPDATE docferry.inputs SET planned = true, problem = coalesce(problem, $3)
         WHERE run = $1 AND input = $2`,
        [run, input, problem],
      );
    });
  }

  /** Takes the next open shard; `undefined` if there is none. Its run can't be stopped meanwhile. */
  async takeNext(
    { runs, unreadable }: WorkFilter,
    retry?: RetryPolicy,
  ): Promise<Shard | undefined> {
    const lease = this.#session.nextNumber();
    const [row] = await this.#database.rows<Shard & { readonly span: string }>(
      // A retry after a lost answer finds the shard that it took.
      `WITH me AS (${LOCK_SESSION}), mine AS (
         SELECT run, input, part FROM docferry.shards
         WHERE state = 'leased' AND session = $1 AND lease = $4
       ), next AS (
         SELECT s.run, s.input, s.part FROM docferry.shards AS s JOIN docferry.runs AS r USING (run), me
         WHERE s.state = 'open' AND r.state = 'active' AND r.stop IS NULL
           AND s.run = ANY ($2) AND concat_ws(':', s.run, s.input) <> ALL ($3)
           AND NOT EXISTS (SELECT FROM mine)
         ORDER BY s.run, s.input, s.part LIMIT 1 FOR UPDATE OF s SKIP LOCKED FOR SHARE OF r
       )
       UPDATE docferry.shards AS s SET state = 'leased', session = $1, lease = $4,
         epoch = epoch + (state = 'open')::integer, counts = NULL, report = NULL
       FROM (SELECT * FROM next UNION ALL SELECT * FROM mine) AS taken
       WHERE s.run = taken.run AND s.input = taken.input AND s.part = taken.part
       RETURNING s.run, s.input, s.part, s.span, s.epoch`,
      [this.#session.id, runs, unreadable, lease],
      retry,
    );
    return row && { ...row, span: JSON.parse(row.span) as unknown };
  }

  /** Stores rejected records of a shard. Those of earlier epochs no longer count. */
  async reject(shard: Shard, number: number, lines: string): Promise<void> {
    await this.#database.rows(
      `INSERT INTO docferry.rejects (run, input, part, epoch, number, lines)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
      [shard.run, shard.input, shard.part, shard.epoch, number, lines],
    );
  }

  /**
   * Releases a shard with its result.
   * @param end omitted if nothing was processed
   * @returns `false` if the session had lost it
   */
  async release({ run, input, part, epoch }: Shard, end?: ShardEnd): Promise<boolean> {
    const { isDone = false, report = null, counts, requests = 0, retries = 0 } = end ?? {};
    const released = await this.#database.rows(
      `WITH earlier AS (
         DELETE FROM docferry.rejects WHERE run = $1 AND input = $2 AND part = $3 AND epoch < $11
       )
       UPDATE docferry.shards SET state = $5, report = $6, counts = $7, session = NULL,
       requests = requests + $8, retries = retries + $9, read_to_end = $10
       WHERE run = $1 AND input = $2 AND part = $3 AND state = 'leased' AND session = $4
       RETURNING part`,
      [
        ...[run, input, part, this.#session.id, isDone ? 'done' : 'open', report],
        ...[counts === undefined ? null : countsRow(counts), requests, retries],
        ...[end?.readToEnd ?? null, epoch],
      ],
    );
    return released.length > 0;
  }

  async updateCounts({ run, input, part }: Shard, counts: ShardCounts): Promise<void> {
    await this.#database.rows(
      `UPDATE docferry.shards SET counts = $5
       WHERE run = $1 AND input = $2 AND part = $3 AND state = 'leased' AND session = $4`,
      [run, input, part, this.#session.id, countsRow(counts)],
    );
  }
}

/** Selects the session `$1` if it may still write, and keeps others from fencing it meanwhile. */
const LOCK_SESSION =
  'SELECT FROM docferry.sessions WHERE session = $1 AND NOT fenced FOR KEY SHARE';

/** Returns whether a run is active. Locks it in that state until the transaction ends. */
async function isActive(transaction: Transaction, run: number): Promise<boolean> {
  const active = await transaction.rows(
    "SELECT FROM docferry.runs WHERE run = $1 AND state = 'active' AND stop IS NULL FOR SHARE",
    [run],
  );
  return active.length > 0;
}

/** Order of the counts in their column. */
const COUNTED: readonly (keyof ShardCounts)[] = ['read', ...OUTCOMES, 'bytesRead'];

const countOf = (name: keyof ShardCounts): string => `counts[${COUNTED.indexOf(name) + 1}]`;

/** Opens shards of a run that left something to do, or `$2`: something rejected. */
export const REOPEN_SHARDS = `UPDATE docferry.shards SET requests = 0, retries = 0,
  state = CASE WHEN state = 'done' AND read_to_end AND ${countOf('unsent')} + ${countOf('unknown')} = 0
    AND NOT ($2 AND ${countOf('rejected')} > 0) THEN 'done' ELSE 'open' END
  WHERE run = $1`;

function countsRow(counts: ShardCounts): readonly number[] {
  return COUNTED.map((name) => counts[name]);
}

export interface ShardsProgress {
  /** Latest published counts of leased shards plus the final ones of the others. */
  readonly counts: ShardCounts;
  readonly shards: Readonly<Record<ShardState, number>>;
  readonly planned: boolean;
  readonly workers: readonly WorkerPresence[];
}

export type ShardState = 'open' | 'leased' | 'done';

interface WorkerPresence {
  readonly name: string;
  readonly shards: number;
  /** Milliseconds since its last heartbeat. */
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
  ${COUNTED.map((name) => `coalesce(sum(${countOf(name)}), 0)::bigint AS "${name}"`).join(', ')},
  ${['open', 'leased', 'done'].map((state) => `count(*) FILTER (WHERE state = '${state}') AS ${state}`).join(', ')},
  (SELECT coalesce(bool_and(planned), true) FROM docferry.inputs WHERE run = $1) AS planned
  FROM docferry.shards WHERE run = $1`;
