import { closeSync, existsSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import type Database from 'libsql';
import { openSqlite } from '../../model/open-sqlite.js';
import { damaged, journalError } from './damage.js';
import { LogSync } from './log-sync.js';
import { sealOf } from './run-files.js';

/** What a statement's parameter may be. libsql ends the process when it is given a boolean. */
export type SqlValue = string | number | Uint8Array | null;

/** What a file is to hold. */
export interface DatabaseForm {
  /** Makes its tables. */
  readonly script: string;
  /** Says in the file's header what it is: kind and version. */
  readonly applicationId: number;
  /**
   * How much of it to keep in memory; pages that a transaction changes beyond that are written out
   * in between, again and again.
   */
  readonly cacheKiB: number;
  /** Whether a loss of power may take it: nothing is waited for on the disk. */
  readonly isFleeting?: boolean;
}

/**
 * A column of text, to be read as bytes. libsql ends the whole process (SIGABRT) over a text that
 * isn't UTF-8, as damage leaves them: no query may give one as it is.
 */
export function asBytes(column: string): string {
  return `CAST(${column} AS BLOB) AS ${column}`;
}

/** A column of whole numbers, to be read as such whatever damage made of it. */
export function asInteger(column: string, name: string = column): string {
  return `CAST(${column} AS INTEGER) AS ${name}`;
}

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
  readonly #isFleeting: boolean;
  #waits: boolean | undefined;

  /**
   * Opens a database file, or makes it, readable for nobody else, with its folders.
   * @throws JournalError, also if the file is something else, or was emptied
   */
  constructor(file: string, form: DatabaseForm) {
    this.#file = file;
    this.#log = new LogSync(file);
    this.#isFleeting = form.isFleeting ?? false;
    this.#database = this.#attempt(() => {
      makePrivateFile(file);
      return openSqlite(file, { timeout: BUSY_TIMEOUT_MS });
    });
    try {
      const isEmpty = this.#attempt(() => this.#checkForm(form));
      this.#attempt(() => {
        this.#database.pragma('journal_mode = WAL');
        this.#database.pragma(`cache_size = -${form.cacheKiB}`);
      });
      this.#waitForDisk(true);
      if (isEmpty) this.#make(form);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** The file. */
  get file(): string {
    return this.#file;
  }

  /**
   * Looks through the whole file for damage to its structure. What stands in it is for its reader
   * to check.
   * @throws JournalError
   */
  check(): void {
    const sql = `SELECT ${asBytes('quick_check')} FROM pragma_quick_check(1)`;
    const [row] = this.all<{ quick_check: ArrayBuffer }>(sql);
    const told = row === undefined ? 'nothing is told' : Buffer.from(row.quick_check).toString();
    if (told !== 'ok') throw damaged(this.#file, told);
  }

  /**
   * From now on the file itself holds what was written until now, and is never empty again: one
   * that is was emptied, whoever did that.
   */
  seal(): void {
    this.#attempt(() => {
      this.#database.pragma('wal_checkpoint(PASSIVE)');
      makePrivateFile(sealOf(this.#file));
    });
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
    // libsql releases a file only when its statements are garbage, and then folds nothing in.
    this.#attempt(() => this.#database.pragma('wal_checkpoint(PASSIVE)'));
    this.#statements.clear();
    this.#database.close();
  }

  /**
   * Whether the file has yet to be made. Only looks: a file that is something else stays as it is.
   * @throws JournalError
   */
  #checkForm({ applicationId }: DatabaseForm): boolean {
    const sql = 'SELECT application_id AS id FROM pragma_application_id';
    const [row] = this.#database.prepare(sql).all() as { id: number }[];
    if (row?.id === applicationId) return false;
    const [tables] = this.#database.prepare('SELECT count(*) AS n FROM sqlite_schema').all() as {
      n: number;
    }[];
    if (row?.id !== 0 || tables?.n !== 0) {
      throw damaged(this.#file, 'it is not what docferry wrote there, or of another version of it');
    }
    if (existsSync(sealOf(this.#file))) throw damaged(this.#file, 'it was emptied or replaced');
    return true;
  }

  /** All at once: a process that ends meanwhile leaves nothing. */
  #make({ script, applicationId }: DatabaseForm): void {
    this.#together(() =>
      this.#attempt(() => {
        this.#database.exec(script);
        this.#database.pragma(`application_id = ${applicationId}`);
      }),
    );
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
    const synchronous = this.#isFleeting ? 'OFF' : waits ? 'FULL' : 'NORMAL';
    this.#attempt(() => this.#database.pragma(`synchronous = ${synchronous}`));
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
