import type Database from 'libsql';
import { openSqlite } from '../../model/open-sqlite.js';
import { Refusal } from '../refusal.js';

/** What a statement's parameter may be. libsql ends the process when it is given a boolean. */
export type StoreValue = string | number | null;

/** How long to wait for another process that writes, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;

/** Authors come in any order, so their index is written all over. */
const CACHE_KIB = 192_000;

/** Opens a database file, or `:memory:`, set up for several processes at a time. */
export function openDatabase(file: string): Store {
  const store = new Store(openSqlite(file, { timeout: BUSY_TIMEOUT_MS }));
  untilNotBusy(() => store.all('PRAGMA journal_mode = WAL'));
  // What is written outlives the process being killed, but not the machine losing power: waiting
  // for the disk takes a tenth of an import's time, and a rehearsal can be made again.
  store.all('PRAGMA synchronous = OFF');
  store.all(`PRAGMA cache_size = -${CACHE_KIB}`);
  // A page that several imports change is then written to the file once.
  store.all('PRAGMA wal_autocheckpoint = 4000');
  return store;
}

/** Filters come in any number of shapes; most of them are asked for again soon, or never. */
const MAX_STATEMENTS = 300;

/** A database of the sandbox, with its statements prepared once. */
export class Store {
  readonly visibility = new Visibility();
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /** Runs a statement; answers how many rows it changed and the id of the last row it added. */
  run(sql: string, values: readonly StoreValue[] = []): { changes: number; lastId: number } {
    const { changes, lastInsertRowid } = this.#prepare(sql).run(values);
    return { changes, lastId: Number(lastInsertRowid) };
  }

  /** A statement's rows. */
  all<Row>(sql: string, values: readonly StoreValue[] = []): Row[] {
    return this.#prepare(sql).all(values) as Row[];
  }

  /** Runs several statements without parameters. */
  script(sql: string): void {
    this.#database.exec(sql);
  }

  /** Runs `work` as one transaction; `write` locks other writers out from its start. */
  transaction<T>(kind: 'read' | 'write', work: () => T): T {
    try {
      this.run(kind === 'write' ? 'BEGIN IMMEDIATE' : 'BEGIN');
      const result = work();
      this.run('COMMIT');
      return result;
    } catch (error) {
      if (this.#database.inTransaction) this.run('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    const database = this.#database;
    if (!database.open) return;
    // Without this the newest documents stay in the -wal file: libsql releases a file only when
    // its statements have been garbage-collected.
    if (!database.memory) {
      database.pragma('synchronous = NORMAL');
      database.pragma('wal_checkpoint(PASSIVE)');
    }
    this.#statements.clear();
    database.close();
  }

  #prepare(sql: string): Database.Statement {
    // A prepared statement would go on working on a closed database.
    if (!this.#database.open) throw new Refusal('closing', 'The sandbox is closed.');
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    const [oldest] = this.#statements.keys();
    if (this.#statements.size > MAX_STATEMENTS) this.#statements.delete(oldest as string);
    return statement;
  }
}

/** SQLite does not wait by itself where two processes switch a new database to WAL at once. */
function untilNotBusy<T>(work: () => T): T {
  const deadline = Date.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      return work();
    } catch (error) {
      const busy = String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');
      if (!busy || Date.now() >= deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/** A range of document ids, both ends included. */
export type IdRange = readonly [first: number, last: number];

/**
 * Documents that are stored and do not show yet, as the service's own need a short time. Kept in
 * memory: after a restart all of them show, and to other processes they always do.
 */
class Visibility {
  #delays: { readonly ids: IdRange; readonly until: number }[] = [];

  /** Hides these documents for so many milliseconds from now. */
  hide(ids: IdRange, forMs: number): void {
    this.#delays.push({ ids, until: performance.now() + forMs });
  }

  /** What is hidden now. */
  hidden(): readonly IdRange[] {
    const now = performance.now();
    this.#delays = this.#delays.filter(({ until }) => until > now);
    return this.#delays.map(({ ids }) => ids);
  }
}
