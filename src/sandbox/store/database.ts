import type Database from 'libsql';
import { openSqlite } from '../../model/open-sqlite.js';
import { Refusal } from '../refusal.js';

/** Value of a statement's parameter. libsql crashes the process when it gets a boolean. */
export type StoreValue = string | number | null;

/** Time to wait for another writing process, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;

/** Size of the page cache. Authors arrive in random order, so their index is written all over. */
const CACHE_KIB = 192_000;

/** Opens a database file, or `:memory:`, for use by several processes. */
export function openDatabase(file: string): Store {
  const store = new Store(openSqlite(file, { timeout: BUSY_TIMEOUT_MS }));
  untilNotBusy(() => store.all('PRAGMA journal_mode = WAL'));
  // Data survives a killed process, but not a power failure: syncing takes a tenth of an import's
  // time, and a rehearsal can be repeated.
  store.all('PRAGMA synchronous = OFF');
  store.all(`PRAGMA cache_size = -${CACHE_KIB}`);
  // Fewer checkpoints: a page that several imports change is written to the file once.
  store.all('PRAGMA wal_autocheckpoint = 4000');
  return store;
}

/** Maximum number of cached statements. Most combinations of filters recur soon, or never. */
const MAX_STATEMENTS = 300;

/** Database of the sandbox, with a cache of prepared statements. */
export class Store {
  readonly visibility = new Visibility();
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /** Runs a statement; returns the number of changed rows and the id of the last row added. */
  run(sql: string, values: readonly StoreValue[] = []): { changes: number; lastId: number } {
    const { changes, lastInsertRowid } = this.#prepare(sql).run(values);
    return { changes, lastId: Number(lastInsertRowid) };
  }

  all<Row>(sql: string, values: readonly StoreValue[] = []): Row[] {
    return this.#prepare(sql).all(values) as Row[];
  }

  /** Runs several statements without parameters. */
  script(sql: string): void {
    this.#database.exec(sql);
  }

  /** Runs `work` as one transaction; `write` locks other writers out from its start. */
  transaction<T>(kind: 'read' | 'write', work: () => T): T {
    this.run(kind === 'write' ? 'BEGIN IMMEDIATE' : 'BEGIN');
    try {
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
    // Otherwise the latest documents stay in the -wal file: libsql doesn't release a file before
    // its statements are garbage-collected.
    if (!database.memory) {
      database.pragma('synchronous = NORMAL');
      database.pragma('wal_checkpoint(PASSIVE)');
    }
    this.#statements.clear();
    database.close();
  }

  #prepare(sql: string): Database.Statement {
    // A prepared statement would still run on a closed database.
    if (!this.#database.open) throw new Refusal('closing', 'The sandbox is closed.');
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    const [oldest] = this.#statements.keys();
    if (this.#statements.size > MAX_STATEMENTS) this.#statements.delete(oldest as string);
    return statement;
  }
}

/**
 * Retries while the database is busy. SQLite's own timeout doesn't cover two processes that switch
 * a new database to WAL at once.
 */
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
 * Tracks stored documents that aren't visible yet, as with the real service. The ranges are in
 * memory: after a restart, and to other processes, all documents are visible.
 */
class Visibility {
  #delays: { readonly ids: IdRange; readonly until: number }[] = [];

  hide(ids: IdRange, forMs: number): void {
    this.#delays.push({ ids, until: performance.now() + forMs });
  }

  hidden(): readonly IdRange[] {
    const now = performance.now();
    this.#delays = this.#delays.filter(({ until }) => until > now);
    return this.#delays.map(({ ids }) => ids);
  }
}
