import { closeSync, existsSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import type Database from 'libsql';
import { openSqlite } from '../../model/open-sqlite.js';
import { damaged, fromEarlierVersion, journalError } from './damage.js';

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
}

/**
 * A column of text, to be read as bytes. libsql ends the whole process (SIGABRT) over a text that
 * isn't UTF-8, as damage leaves them: no query may give one as it is.
 */
export function asBytes(column: string): string {
  return `CAST(${column} AS BLOB) AS ${column}`;
}

/** How long to wait for another process that writes, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;

const GONE = 'it is gone or empty, and it alone knew what runs imported that were pruned';

/** A database whose commits are on the disk. */
export class DurableDatabase {
  readonly #file: string;
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();

  /**
   * Opens a database file, or makes it, readable for nobody else, with its folders.
   * @param mustExist whether a file that is gone or empty is damaged, too
   * @throws JournalError, also if the file is something else, or damaged
   */
  constructor(file: string, form: DatabaseForm, { mustExist = false } = {}) {
    this.#file = file;
    if (mustExist && !existsSync(file)) throw damaged(file, GONE);
    this.#database = this.#attempt(() => {
      makePrivateFile(file);
      return openSqlite(file, { timeout: BUSY_TIMEOUT_MS });
    });
    try {
      const isEmpty = this.#attempt(() => this.#checkForm(form));
      this.#attempt(() => {
        this.#database.pragma('journal_mode = WAL');
        this.#database.pragma('synchronous = FULL');
        this.#database.pragma(`cache_size = -${form.cacheKiB}`);
      });
      if (isEmpty && mustExist) throw damaged(file, GONE);
      if (isEmpty) this.#make(form);
      this.#check();
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  run(sql: string, values: readonly SqlValue[] = []): void {
    this.#attempt(() => this.#prepare(sql).run(values));
  }

  all<Row>(sql: string, values: readonly SqlValue[] = []): Row[] {
    return this.#attempt(() => this.#prepare(sql).all(values) as Row[]);
  }

  /** Runs `work` as one transaction: all of it is on the disk afterwards, or nothing. */
  transaction(work: () => void): void {
    this.#attempt(() => this.#prepare('BEGIN IMMEDIATE').run());
    try {
      work();
      this.#attempt(() => this.#prepare('COMMIT').run());
    } catch (error) {
      if (this.#database.inTransaction) this.run('ROLLBACK');
      throw error;
    }
  }

  /** What wasn't folded into the file before it was closed stays in its log. */
  close(): void {
    if (!this.#database.open) return;
    // libsql releases a file only when its statements are garbage, and then folds nothing in.
    try {
      this.#database.pragma('wal_checkpoint(PASSIVE)');
    } catch {}
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
    // Its last byte is the version.
    if ((row?.id ?? 0) >> 8 === applicationId >> 8) throw fromEarlierVersion(this.#file);
    const [tables] = this.#database.prepare('SELECT count(*) AS n FROM sqlite_schema').all() as {
      n: number;
    }[];
    if (row?.id === 0 && tables?.n === 0) return true;
    throw damaged(this.#file, 'it is not what docferry wrote there');
  }

  /** All at once: a process that ends meanwhile leaves nothing. */
  #make({ script, applicationId }: DatabaseForm): void {
    this.transaction(() =>
      this.#attempt(() => {
        this.#database.exec(script);
        this.#database.pragma(`application_id = ${applicationId}`);
      }),
    );
  }

  /** Looks through the whole file for damage to its structure. */
  #check(): void {
    const sql = `SELECT ${asBytes('quick_check')} FROM pragma_quick_check(1)`;
    const [row] = this.all<{ quick_check: ArrayBuffer }>(sql);
    const result = row === undefined ? 'nothing' : Buffer.from(row.quick_check).toString();
    if (result !== 'ok') throw damaged(this.#file, result);
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
