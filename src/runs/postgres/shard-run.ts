import { type Counts, OUTCOMES } from '../../model/record.js';
import type { Database } from './database/database.js';
import { WRITE_FACT } from './postgres-run.js';
import type { Session } from './session.js';

export type ShardCounts = Counts & { readonly bytesRead: number };

/** Order of the counts in their column. */
export const COUNTED: readonly (keyof ShardCounts)[] = ['read', ...OUTCOMES, 'bytesRead'];

/** Figures that the processes of a group share while they run. */
export interface GroupFigures {
  /** Number of processes that import into the target now. */
  readonly senders: number;
  /** Sums over all shards of the group. */
  readonly counts: ShardCounts;
}

interface HeldShard {
  readonly run: number;
  readonly session: Session;
}

/** Stores what a process that holds a shard knows, besides the run's journal. */
export class ShardRun {
  readonly #database: Database;
  readonly #held: HeldShard;

  constructor(database: Database, held: HeldShard) {
    this.#database = database;
    this.#held = held;
  }

  /** Publishes the progress of this shard, and returns that of all. */
  async exchange(counts: ShardCounts): Promise<GroupFigures> {
    const { run, session } = this.#held;
    await this.#database.rows(
      // A process that starts again has read less at first, and errors that were counted stay counted.
      `UPDATE docferry.runs SET counts = CASE WHEN counts[1] > ($3::bigint[])[1] THEN counts ELSE $3 END
       WHERE run = $1 AND session = $2`,
      [run, session.id, COUNTED.map((name) => counts[name])],
    );
    const [row] = await this.#database.rows<GroupFigures>(GROUP_FIGURES, [run]);
    return row as GroupFigures;
  }

  /** Withdraws what the process before stored, besides the journal. */
  async begin(): Promise<void> {
    const { run, session } = this.#held;
    await this.#database.transaction(async (transaction) => {
      await session.assertNotFenced(transaction);
      for (const statement of WITHDRAW) await transaction.rows(statement, [run]);
    });
  }

  /** Stores a page of rejected records. */
  async addRejects(number: number, lines: string): Promise<void> {
    const { run, session } = this.#held;
    // In one statement: a process that is paused in a transaction would hold up others.
    await this.#database.rows(
      `INSERT INTO docferry.rejects (run, number, lines)
       SELECT $1, $2, $3 FROM (
         SELECT FROM docferry.sessions WHERE session = $4 AND NOT fenced FOR KEY SHARE
       ) AS own ON CONFLICT DO NOTHING`,
      [run, number, lines, session.id],
    );
  }

  /**
   * Stores the figures of this process.
   * @param isDone whether nothing is left to do in the shard
   */
  async finish(figures: string, counts: ShardCounts, isDone: boolean): Promise<void> {
    const { run, session } = this.#held;
    await this.#database.transaction(async (transaction) => {
      await session.assertNotFenced(transaction);
      await transaction.rows(WRITE_FACT, [run, 'figures', figures]);
      await transaction.rows(
        `UPDATE docferry.runs SET done = $3, since = clock_timestamp(),
           counts = CASE WHEN NOT $3 AND counts[1] > ($2::bigint[])[1] THEN counts ELSE $2 END
         WHERE run = $1`,
        [run, COUNTED.map((name) => counts[name]), isDone],
      );
    });
  }
}

const WITHDRAW = [
  'DELETE FROM docferry.rejects WHERE run = $1',
  'UPDATE docferry.runs SET done = false WHERE run = $1',
];

const SUMS = COUNTED.map((name, at) => `'${name}', coalesce(sum(r.counts[${at + 1}]), 0)`);

const GROUP_FIGURES = `SELECT json_build_object(${SUMS.join(', ')}) AS counts,
    (SELECT count(*) FROM docferry.runs AS s
     WHERE s.target = own.target AND s.state = 'held') AS senders
  FROM docferry.runs AS own JOIN docferry.runs AS r USING (group_number)
  WHERE own.run = $1 GROUP BY own.run`;
