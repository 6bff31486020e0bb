import { closeSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import Database from 'libsql';
import { JournalError } from '../errors.js';
import { LogSync } from './log-sync.js';

/** What a statement's parameter may be. libsql ends the process when it is given a boolean. */
export type SqlValue = string | number | Uint8Array | null;

/** How long to wait for another process that writes, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;

/**
 * A database that outlives a crash: what is committed is on the disk, at once or when the caller
 * has waited for it.
 */
export class DurableDatabase {
  readonly #file: string;
  readonly #database: Database.Database;
  readonly #log: LogSync;
  readonly #statements = new Map<string, Database.Statement>();
  #waits: boolean | undefined;

  /**
   * Opens a database file, or makes it, readable for nobody else, with its folders.
   * @param script makes its tables where they are missing
   * @param cacheKiB how much of it to keep in memory; pages that a transaction changes beyond that
   *   are written out in between, again and again
   * @throws JournalError
   */
  constructor(file: string, script: string, cacheKiB: number) {
    this.#file = file;
    this.#log = new LogSync(file);
    this.#database = this.#attempt(() => {
      makePrivateFile(file);
      return new Database(file, { timeout: BUSY_TIMEOUT_MS });
    });
    this.#attempt(() => {
      this.#database.pragma('journal_mode = WAL');
      this.#database.pragma(`cache_size = -${cacheKiB}`);
    });
    this.#waitForDisk(true);
    this.#attempt(() => this.#database.exec(script));
  }

  run(sql: string, values: readonly SqlValue[] = []): void {
    if (!this.#database.inTransaction) this.#waitForDisk(true);
    this.#attempt(() => this.#prepare(sql).run(values));
  }

  all<Row>(sql: string, values: readonly SqlValue[] = []): Row[] {
    return this.#attempt(() => this.#prepare(sql).all(values) as Row[]);
  }

  /** Runs `work` as one transaction: all of it is on the disk afterwards, or nothing. */
  transaction<T>(work: () => T): T {
    this.#waitForDisk(true);
    return this.#together(work);
  }

  /**
   * The same without waiting for the disk. It outlives the process from here on, and a loss of
   * power once {@link synced} has resolved.
   */
  write<T>(work: () => T): T {
    this.#waitForDisk(false);
    return this.#together(work);
  }

  /**
   * Resolves once all that was written is on the disk. The thread goes on meanwhile.
   * @throws JournalError (rejects); what was written since the last time may be lost
   */
  async synced(): Promise<void> {
    try {
      await this.#log.synced();
    } catch (error) {
      throw journalError(this.#file, error);
    }
  }

  close(): void {
    if (!this.#database.open) return;
    this.#log.close();
    // libsql lets go of a file only when its statements are garbage, and then folds nothing in.
    this.#attempt(() => this.#database.pragma('wal_checkpoint(PASSIVE)'));
    this.#statements.clear();
    this.#database.close();
  }

  #together<T>(work: () => T): T {
    this.#attempt(() => this.#prepare('BEGIN IMMEDIATE').run());
    try {
      const result = work();
      this.#attempt(() => this.#prepare('COMMIT').run());
      return result;
    } catch (error) {
      if (this.#database.inTransaction) this.run('ROLLBACK');
      throw error;
    }
  }

  /** Whether commits wait from now on until the disk has them. */
  #waitForDisk(waits: boolean): void {
    if (this.#waits === waits) return;
    this.#attempt(() => this.#database.pragma(`synchronous = ${waits ? 'FULL' : 'NORMAL'}`));
    this.#waits = waits;
  }

  #prepare(sql: string): Database.Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw journalError(this.#file, error);
    }
  }
}

/** Says which file, and why, and what helps. */
export function journalError(file: string, error: unknown): JournalError {
  if (error instanceof JournalError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new JournalError(
    `${file} can't be read or written: ${reason}. Without it, nobody could tell later what was sent: make room on the disk, or name another folder (--state-dir, stateDir).`,
    { cause: error },
  );
}

/**
 * Makes a file, with its folders, unless it is there; never through a link, which could lead
 * anywhere. One that is there is not even opened: with whichever descriptor of a file a process
 * closes it loses all its POSIX locks on that file, and SQLite's are such. Another process that
 * looks into the database would then take itself for the last one, and remove the log in which this
 * one writes.
 */
export function makePrivateFile(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (!lstatSync(file).isFile()) throw new Error('it is no file of its own');
  }
}
