import { hostname } from 'node:os';
import { JournalError } from '../../model/errors.js';
import { AT_ONCE, type Database, goOnFor, type Patience } from './database/database.js';
import { QUEUE_SCHEMA } from './database/schema.js';
import { addMissingJobs } from './queue.js';

/** How long to try to give back what a session has; after its expiry others take it in any case. */
const CLOSE_MS = 2_000;

/** 2^23 sessions with 2^30 numbers each: together what a number holds exactly. */
const NUMBERS_OF_A_SESSION = 2 ** 30;

/** What all who share a state go by: how long a session holds what it has, in milliseconds. */
export interface SharedSettings {
  readonly beatMs: number;
  /** By the database's clock. */
  readonly expiryMs: number;
  readonly marginMs: number;
  /** Smaller shards aren't worth what it costs to take them. */
  readonly minShardBytes: number;
}

export async function readSettings(database: Database): Promise<SharedSettings> {
  const [settings] = await database.rows<SharedSettings>(
    `SELECT beat_ms AS "beatMs", expiry_ms AS "expiryMs", margin_ms AS "marginMs",
       min_shard_bytes AS "minShardBytes" FROM docferry.settings`,
  );
  if (settings === undefined) throw new JournalError('The state has lost its settings.');
  return settings;
}

/**
 * A process's presence: what it has leased is its own as long as it says every few seconds that it is
 * there. If it doesn't, it must not write or send any more, and knows so itself before others take
 * over; the database refuses what it writes after that in any case.
 */
export class Session {
  /** Those of this process that are open. */
  static readonly own: Set<number> = new Set();
  readonly id: number;
  readonly times: SharedSettings;
  readonly #database: Database;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  /** When the last beat that got through was sent, by both clocks: either may stand still or jump. */
  #sent: Moment;
  #numbers = 0;

  private constructor(database: Database, id: number, sent: Moment, times: SharedSettings) {
    this.#database = database;
    this.id = id;
    this.times = times;
    this.#sent = sent;
    this.#timer = setInterval(() => void this.#beat(), times.beatMs);
    this.#timer.unref();
    Session.own.add(id);
    this.lost.addEventListener('abort', () => Session.own.delete(id));
  }

  /** @throws JournalError, OptionError */
  static async open(database: Database): Promise<Session> {
    const times = await readSettings(database);
    const sent = now();
    const [row] = await database.rows<{ session: number }>(
      'INSERT INTO docferry.sessions (name) VALUES ($1) RETURNING session',
      [`${hostname()}:${process.pid}`],
    );
    return new Session(database, (row as { session: number }).session, sent, times);
  }

  /**
   * A number for an intent, an outcome or a lease. Who writes them makes them, unique across runs, so
   * that a commit that was cut off can be told from one that never was.
   */
  nextNumber(): number {
    const number = this.id * NUMBERS_OF_A_SESSION + this.#numbers;
    if (this.#numbers === NUMBERS_OF_A_SESSION || !Number.isSafeInteger(number)) {
      throw new Error('A session has used up its numbers.');
    }
    this.#numbers += 1;
    return number;
  }

  /** Aborted once others may take over what this session has. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Whether what it has is its own; asked before anything that others must not do as well. */
  get isValid(): boolean {
    const { monotonic, wall } = now();
    const most = this.times.expiryMs - this.times.marginMs;
    const passed = Math.max(monotonic - this.#sent.monotonic, Math.abs(wall - this.#sent.wall));
    if (passed > most) this.lose();
    return !this.#lost.signal.aborted;
  }

  /** Jobs are locked under this name from now on: who fences this session off unlocks them. */
  async locksJobsAs(pool: string): Promise<void> {
    const locks = 'UPDATE docferry.sessions SET pools = pools || $2::text WHERE session = $1';
    await this.#database.rows(locks, [this.id, pool], AT_ONCE);
  }

  /**
   * Makes sure that others have not taken over.
   * @throws JournalError if they have
   */
  async confirm(): Promise<void> {
    const mine = 'SELECT FROM docferry.sessions WHERE session = $1 AND NOT fenced';
    if ((await this.#database.rows(mine, [this.id])).length === 0) this.lose();
    if (!this.isValid) throw this.lost.reason;
  }

  /** Others have taken over. */
  lose(): void {
    clearInterval(this.#timer);
    this.#lost.abort(
      new JournalError(
        'This process could not reach the state for so long that others have taken over its shards: what it had sent is reconciled by them.',
      ),
    );
  }

  /** Gives back at once what it has, so that others need not wait. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#lost.abort(new JournalError('The session has ended.'));
    await fence(this.#database, ['session = $1', this.id], goOnFor(CLOSE_MS));
  }

  async #beat(): Promise<void> {
    if (!this.isValid) return;
    const sent = now();
    try {
      const rows = await this.#database.rows(
        `UPDATE docferry.sessions SET seen = clock_timestamp()
         WHERE session = $1 AND NOT fenced RETURNING session`,
        [this.id],
        AT_ONCE,
      );
      if (rows.length === 0) this.lose();
      else if (sent.monotonic > this.#sent.monotonic) this.#sent = sent;
    } catch {
      // The next beat may get through; if none does, the session ends by itself.
      void this.isValid;
    }
  }
}

/** A moment on the monotonic clock and on the wall clock, in milliseconds. */
interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

function now(): Moment {
  return { monotonic: performance.now(), wall: Date.now() };
}

/** Sessions that have said nothing for long are fenced off: others take over what they had. */
export async function fenceExpired(
  database: Database,
  { expiryMs }: Pick<SharedSettings, 'expiryMs'>,
  patience?: Patience,
): Promise<void> {
  const isSilent = "seen < clock_timestamp() - $1 * interval '1 millisecond'";
  await fence(database, [isSilent, expiryMs], patience);
}

/**
 * Fences sessions off. Their writes hold a lock on them that this waits for: what was committed before
 * is seen by who takes over, and nothing is after.
 */
async function fence(
  database: Database,
  [which, value]: readonly [condition: string, value: number],
  patience?: Patience,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const sessions = await transaction.rows<{ session: number }>(
      `SELECT session FROM docferry.sessions WHERE NOT fenced AND ${which} ORDER BY session FOR UPDATE`,
      [value],
    );
    if (sessions.length === 0) return;
    const ids = [sessions.map(({ session }) => session)];
    await transaction.rows(
      'UPDATE docferry.sessions SET fenced = true WHERE session = ANY ($1)',
      ids,
    );
    const shards = await transaction.rows<{ run: number }>(
      `UPDATE docferry.shards SET state = 'open', session = NULL, counts = NULL
       WHERE state = 'leased' AND session = ANY ($1) RETURNING run`,
      ids,
    );
    const runs = await transaction.rows<{ run: number }>(
      `UPDATE docferry.runs SET state = CASE state WHEN 'held' THEN 'ended' ELSE 'active' END,
       session = NULL WHERE state IN ('held', 'finishing') AND session = ANY ($1) RETURNING run`,
      ids,
    );
    await transaction.rows(
      `SELECT ${QUEUE_SCHEMA}.force_unlock_workers(array_agg(pool))
       FROM docferry.sessions, unnest(pools) AS pool WHERE session = ANY ($1)`,
      ids,
    );
    const left = new Set([...shards, ...runs].map(({ run }) => run));
    for (const run of [...left].toSorted((a, b) => a - b)) await addMissingJobs(transaction, run);
  }, patience);
}
