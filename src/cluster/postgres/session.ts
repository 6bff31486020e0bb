import { hostname } from 'node:os';
import { JournalError } from '../../model/errors.js';
import { AT_ONCE, type Database, goOnFor, type Patience } from './database/database.js';
import { QUEUE_SCHEMA } from './database/schema.js';
import { IntentNumbers } from './intent-number.js';
import { addMissingJobs } from './queue.js';

/** By both clocks, in milliseconds. */
interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

/** How long to try to give back what a session has; after its expiry others take it in any case. */
const CLOSE_MS = 2_000;

/** How long a session holds what it has, in milliseconds. All who share a state go by the same. */
export interface LeaseTimes {
  readonly beatMs: number;
  /** By the database's clock. */
  readonly expiryMs: number;
  readonly marginMs: number;
}

/**
 * A process's presence: what it has leased is its own as long as it says every few seconds that it is
 * there. If it doesn't, it must not write or send any more, and knows so itself before others take
 * over; the database refuses what it writes after that in any case.
 */
export class Session {
  readonly id: number;
  readonly numbers: IntentNumbers;
  readonly times: LeaseTimes;
  readonly #database: Database;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  /** When the last beat that got through was sent, by both clocks: either may stand still or jump. */
  #sent: Moment;

  private constructor(database: Database, id: number, sent: Moment, times: LeaseTimes) {
    this.#database = database;
    this.id = id;
    this.numbers = new IntentNumbers(id);
    this.times = times;
    this.#sent = sent;
    this.#timer = setInterval(() => void this.#beat(), times.beatMs);
    this.#timer.unref();
  }

  /** @throws JournalError, OptionError */
  static async open(database: Database, version: string): Promise<Session> {
    const times = await leaseTimes(database);
    const sent = now();
    const [row] = await database.rows<{ session: number }>(
      'INSERT INTO docferry.sessions (name, version) VALUES ($1, $2) RETURNING session',
      [`${hostname()}:${process.pid}`, version],
    );
    return new Session(database, (row as { session: number }).session, sent, times);
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
    await this.#database.rows(
      'UPDATE docferry.sessions SET pools = pools || $2::text WHERE session = $1',
      [this.id, pool],
      AT_ONCE,
    );
  }

  /**
   * Makes sure that others have not taken over.
   * @throws JournalError if they have
   */
  async confirm(): Promise<void> {
    const mine = await this.#database.rows(
      'SELECT FROM docferry.sessions WHERE session = $1 AND NOT fenced',
      [this.id],
    );
    if (mine.length === 0) this.lose();
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
    await fence(this.#database, { sessions: [this.id], silentMs: 0 }, { goOn: goOnFor(CLOSE_MS) });
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

async function leaseTimes(database: Database): Promise<LeaseTimes> {
  const [times] = await database.rows<LeaseTimes>(
    `SELECT beat_ms AS "beatMs", expiry_ms AS "expiryMs", margin_ms AS "marginMs"
     FROM docferry.settings`,
  );
  if (times === undefined) throw new JournalError('The state has lost its settings.');
  return times;
}

/** Sessions that have said nothing for long are fenced off: others take over what they had. */
export async function fenceExpired(
  database: Database,
  { expiryMs }: Pick<LeaseTimes, 'expiryMs'>,
  patience?: Patience,
): Promise<void> {
  const expired = await database.rows<{ session: number }>(
    `SELECT session FROM docferry.sessions
     WHERE NOT fenced AND seen < clock_timestamp() - $1 * interval '1 millisecond'`,
    [expiryMs],
    patience,
  );
  if (expired.length === 0) return;
  const sessions = expired.map(({ session }) => session);
  await fence(database, { sessions, silentMs: expiryMs }, patience);
}

/** Which sessions to fence off. */
interface Fenced {
  readonly sessions: readonly number[];
  /** Only those that have said nothing for so long, in milliseconds. */
  readonly silentMs: number;
}

/**
 * Writes of a session hold a lock on it that the fence waits for: what was committed before is seen
 * by who takes over, and nothing is after.
 */
async function fence(
  database: Database,
  { sessions, silentMs }: Fenced,
  patience?: Patience,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const fenced = await transaction.rows<{ session: number }>(
      `SELECT session FROM docferry.sessions WHERE session = ANY ($1) AND NOT fenced
       AND ($2 = 0 OR seen < clock_timestamp() - $2 * interval '1 millisecond')
       ORDER BY session FOR UPDATE`,
      [sessions, silentMs],
    );
    const ids = fenced.map(({ session }) => session);
    await transaction.rows('UPDATE docferry.sessions SET fenced = true WHERE session = ANY ($1)', [
      ids,
    ]);
    const shards = await transaction.rows<{ run: number }>(
      `UPDATE docferry.shards SET state = 'open', session = NULL, counts = NULL
       WHERE state = 'leased' AND session = ANY ($1) RETURNING run`,
      [ids],
    );
    const runs = await transaction.rows<{ run: number }>(
      `UPDATE docferry.runs SET state = CASE state WHEN 'held' THEN 'ended' ELSE 'active' END,
       session = NULL WHERE state IN ('held', 'finishing') AND session = ANY ($1) RETURNING run`,
      [ids],
    );
    await transaction.rows(
      `SELECT ${QUEUE_SCHEMA}.force_unlock_workers(array_agg(pool))
       FROM docferry.sessions, unnest(pools) AS pool WHERE session = ANY ($1)`,
      [ids],
    );
    const left = new Set([...shards, ...runs].map(({ run }) => run));
    for (const run of [...left].toSorted((a, b) => a - b)) await addMissingJobs(transaction, run);
  }, patience);
}

function now(): Moment {
  return { monotonic: performance.now(), wall: Date.now() };
}
