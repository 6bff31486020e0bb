import type Database from 'libsql';
import { openSqlite } from '../../model/open-sqlite.js';
import { Refusal } from '../refusal.js';
import { createVisibility, type Visibility } from './visibility.js';

/** What a statement's parameter may be. libsql ends the process when it is given a boolean. */
export type StoreValue = string | number | null;

/** A database of the sandbox, with its statements prepared once. */
export interface Store {
  readonly visibility: Visibility;
  /** Runs a statement; answers how many rows it changed and the id of the last row it added. */
  run(sql: string, values?: readonly StoreValue[]): { changes: number; lastId: number };
  /** A statement's rows. */
  all<Row>(sql: string, values?: readonly StoreValue[]): Row[];
  /** Runs several statements without parameters. */
  script(sql: string): void;
  /** Runs `work` as one transaction. */
  transaction<T>(kind: TransactionKind, work: () => T): T;
  close(): void;
}

/** `write` locks other writers out from its start. */
type TransactionKind = 'read' | 'write';

/** How long to wait for another process that writes, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;

/** Authors come in any order, so their index is written all over. */
const CACHE_KIB = 192_000;

/** Opens a database file, or `:memory:`, set up for several processes at a time. */
export function openDatabase(file: string): Store {
  const database = openSqlite(file, { timeout: BUSY_TIMEOUT_MS });
  const store = createStore(database);
  untilNotBusy(() => store.all('PRAGMA journal_mode = WAL'));
  // What is written outlives the process being killed, but not the machine losing power: waiting
  // for the disk takes a tenth of an import's time, and a rehearsal can be made again.
  store.all('PRAGMA synchronous = OFF');
  store.all(`PRAGMA cache_size = -${CACHE_KIB}`);
  // A page that several imports change is then written to the file once.
  store.all('PRAGMA wal_autocheckpoint = 4000');
  return store;
}

function createStore(database: Database.Database): Store {
  const statements = new Map<string, Database.Statement>();
  const prepare = (sql: string): Database.Statement => {
    // A prepared statement would go on working on a closed database.
    if (!database.open) throw new Refusal('closing', 'The sandbox is closed.');
    let statement = statements.get(sql);
    if (!statement) {
      statement = database.prepare(sql);
      statements.set(sql, statement);
      forgetOldest(statements);
    }
    return statement;
  };
  const store: Store = {
    visibility: createVisibility(),
    run: (sql, values = []) => {
      const { changes, lastInsertRowid } = prepare(sql).run(values);
      return { changes, lastId: Number(lastInsertRowid) };
    },
    all: <Row>(sql: string, values: readonly StoreValue[] = []) =>
      prepare(sql).all(values) as Row[],
    script: (sql) => void database.exec(sql),
    transaction: (kind, work) => inTransaction(store, database, kind, work),
    close: () => closeDatabase(database, statements),
  };
  return store;
}

/** Filters come in any number of shapes; most of them are asked for again soon, or never. */
const MAX_STATEMENTS = 300;

function forgetOldest(statements: Map<string, unknown>): void {
  if (statements.size <= MAX_STATEMENTS) return;
  const [oldest] = statements.keys();
  if (oldest !== undefined) statements.delete(oldest);
}

function inTransaction<T>(
  store: Store,
  database: Database.Database,
  kind: TransactionKind,
  work: () => T,
): T {
  try {
    store.run(kind === 'write' ? 'BEGIN IMMEDIATE' : 'BEGIN');
    const result = work();
    store.run('COMMIT');
    return result;
  } catch (error) {
    if (database.inTransaction) store.run('ROLLBACK');
    throw error;
  }
}

function closeDatabase(database: Database.Database, statements: Map<string, unknown>): void {
  if (!database.open) return;
  // Without this the newest documents stay in the -wal file: libsql releases a file only when
  // its statements have been garbage-collected.
  if (!database.memory) {
    database.pragma('synchronous = NORMAL');
    database.pragma('wal_checkpoint(PASSIVE)');
  }
  statements.clear();
  database.close();
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
