import { hostname } from 'node:os';
import { JournalError } from '../../model/errors.js';
import { type Database, NO_RETRY, type RetryPolicy, retryFor } from './database/database.js';
import type { Transaction } from './database/transaction.js';

/**
 * Time in which `close` tries to release leases, in milliseconds. After the expiry others take them
 * anyway.
 */
const CLOSE_TIMEOUT_MS = 2_000;

/** Allows 2^23 sessions with 2^30 numbers each: together the safe integers. */
const NUMBERS_PER_SESSION = 2 ** 30;

/** Settings of the database that all processes share. Times in milliseconds. */
export interface SharedSettings {
  readonly beatMs: number;
  /** Lifetime of a lease after the last heartbeat, by the database's clock. */
  readonly expiryMs: number;
  readonly marginMs: number;
}

export async function readSettings(database: Database): Promise<SharedSettings> {
  const [settings] = await database.rows<SharedSettings>(
    `SELECT beat_ms AS "beatMs", expiry_ms AS "expiryMs", margin_ms AS "marginMs"
     FROM docferry.settings`,
  );
  if (settings === undefined) throw new JournalError('The state has lost its settings.');
  return settings;
}

/**
 * A process's lease on everything it has taken, renewed by a heartbeat. Without a heartbeat, the
 * process stops writing and sending `marginMs` before others may take over, and the database then
 * rejects its writes.
 */
export class Session {
  /** Ids of the open sessions of this process. */
  static readonly ownIds: Set<number> = new Set();
  readonly id: number;
  readonly times: SharedSettings;
  readonly #database: Database;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  /** Time of the last successful heartbeat, by two clocks: either may stop or jump. */
  #lastBeat: Moment;
  #numbers = 0;

  private constructor(database: Database, id: number, sent: Moment, times: SharedSettings) {
    this.#database = database;
    this.id = id;
    this.times = times;
    this.#lastBeat = sent;
    this.#timer = setInterval(() => void this.#beat(), times.beatMs);
    this.#timer.unref();
    Session.ownIds.add(id);
    this.lost.addEventListener('abort', () => Session.ownIds.delete(id));
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
   * Returns a number for an intent or an outcome. Numbers are unique across runs and made
   * by the client, which can therefore determine whether an interrupted commit took place.
   */
  nextNumber(): number {
    const number = this.id * NUMBERS_PER_SESSION + this.#numbers;
    if (this.#numbers === NUMBERS_PER_SESSION || !Number.isSafeInteger(number)) {
      throw new Error('A session has used up its numbers.');
    }
    this.#numbers += 1;
    return number;
  }

  /** Aborted when the session has ended: others may take over its leases. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Returns whether the leases still hold. Check it before anything that only one process may do. */
  get isValid(): boolean {
    const { monotonic, wall } = now();
    const maxMs = this.times.expiryMs - this.times.marginMs;
    const elapsedMs = Math.max(
      monotonic - this.#lastBeat.monotonic,
      Math.abs(wall - this.#lastBeat.wall),
    );
    if (elapsedMs > maxMs) this.lose();
    return !this.#lost.signal.aborted;
  }

  /**
   * Checks in the database that others haven't taken over, and in a transaction also keeps them from
   * it until that has ended.
   * @throws JournalError if they have
   */
  async assertNotFenced(reader: Transaction = this.#database): Promise<void> {
    const mine = 'SELECT FROM docferry.sessions WHERE session = $1 AND NOT fenced FOR KEY SHARE';
    if ((await reader.rows(mine, [this.id])).length === 0) this.lose();
    if (!this.isValid) throw this.lost.reason;
  }

  /** Ends the session because others have taken over, or may. */
  lose(): void {
    clearInterval(this.#timer);
    this.#lost.abort(
      new JournalError(
        'This process could not reach the state for so long that its lease expired, and another process may have taken over its run. If none has, resume it once the state can be reached.',
      ),
    );
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#lost.abort(new JournalError('The session has ended.'));
    await fence(this.#database, ['session = $1', this.id], { retry: retryFor(CLOSE_TIMEOUT_MS) });
  }

  async #beat(): Promise<void> {
    if (!this.isValid) return;
    const sent = now();
    try {
      const rows = await this.#database.rows(
        `UPDATE docferry.sessions SET seen = clock_timestamp()
         WHERE session = $1 AND NOT fenced RETURNING session`,
        [this.id],
        NO_RETRY,
      );
      if (rows.length === 0) this.lose();
      else if (sent.monotonic > this.#lastBeat.monotonic) this.#lastBeat = sent;
    } catch {
      // The next heartbeat may succeed. If none does, `isValid` ends the session.
      void this.isValid;
    }
  }
}

interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

function now(): Moment {
  return { monotonic: performance.now(), wall: Date.now() };
}

/** Fences sessions whose lease has expired, so that others take over their work. */
export async function fenceExpired(
  database: Database,
  { expiryMs }: Pick<SharedSettings, 'expiryMs'>,
  retry?: RetryPolicy,
): Promise<void> {
  const isExpired = "seen < clock_timestamp() - $1 * interval '1 millisecond'";
  // One in the middle of a write is fenced the next time; others don't wait for it.
  await fence(database, [isExpired, expiryMs], { retry, locking: 'SKIP LOCKED' });
}

/**
 * Fences sessions. Waits for their running writes, which lock the session's row: everything
 * committed before is visible to the process that takes over, and nothing is committed afterwards.
 */
async function fence(
  database: Database,
  [condition, value]: readonly [condition: string, value: number],
  { retry, locking = '' }: { readonly retry?: RetryPolicy | undefined; readonly locking?: string },
): Promise<void> {
  await database.transaction(async (transaction) => {
    const sessions = await transaction.rows<{ session: number }>(
      `SELECT session FROM docferry.sessions WHERE NOT fenced AND ${condition} ORDER BY session FOR UPDATE ${locking}`,
      [value],
    );
    if (sessions.length === 0) return;
    const ids = [sessions.map(({ session }) => session)];
    await transaction.rows(
      'UPDATE docferry.sessions SET fenced = true WHERE session = ANY ($1)',
      ids,
    );
    await transaction.rows(
      `UPDATE docferry.runs SET state = 'ended', session = NULL,
         since = CASE WHEN done THEN since ELSE clock_timestamp() END
       WHERE state = 'held' AND session = ANY ($1)`,
      ids,
    );
  }, retry);
}
