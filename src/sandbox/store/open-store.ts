import { mkdirSync } from 'node:fs';
import path from 'node:path';
import Database from 'libsql';
import { OptionError } from '../../errors.js';
import { Refusal } from '../refusal.js';
import { SCHEMA, SCHEMA_VERSION } from './schema.js';
import { createVisibility, type Visibility } from './visibility.js';

/** What a statement's parameter may be. libsql ends the process when it is given a boolean. */
export type SqlValue = string | number | null;

/** The sandbox's database, with its statements prepared once. */
export interface Store {
  readonly visibility: Visibility;
  /** Runs a statement; answers how many rows it changed and the id of the last row it added. */
  run(sql: string, values?: readonly SqlValue[]): { changes: number; lastId: number };
  /** A statement's rows. */
  all<Row>(sql: string, values?: readonly SqlValue[]): Row[];
  /** A text that is another one once what the queries see has changed, by whatever process. */
  state(): string;
  /** Runs several statements without parameters. */
  script(sql: string): void;
  /** Runs `work` as one transaction: `write` locks out other writers from its start. */
  transaction<T>(kind: 'read' | 'write', work: () => T): T;
  close(): void;
}

/** How long to wait for another process that writes, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;

/** Opens the database in the folder `data`, or in memory. Throws {@link OptionError}. */
export function openStore(data: string): Store {
  try {
    const database = new Database(databaseFile(data), { timeout: BUSY_TIMEOUT_MS });
    const store = createStore(database);
    prepareDatabase(store, data);
    return store;
  } catch (error) {
    if (error instanceof OptionError) throw error;
    throw new OptionError(
      `The sandbox can't keep its data in "${data}": ${(error as Error).message}. ` +
        'Give a folder that can be written to.',
    );
  }
}

function databaseFile(data: string): string {
  if (data === ':memory:') return data;
  mkdirSync(data, { recursive: true });
  return path.join(data, 'sandbox.db');
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
  let changes = 0;
  const visibility = createVisibility();
  const store: Store = {
    visibility,
    state: () => {
      // SQLite's own figure counts what other connections changed.
      const [others] = store.all<{ data_version: number }>('PRAGMA data_version');
      return JSON.stringify([changes, others?.data_version, visibility.hidden()]);
    },
    run: (sql, values = []) => {
      const ran = prepare(sql).run(values);
      changes += ran.changes;
      return { changes: ran.changes, lastId: Number(ran.lastInsertRowid) };
    },
    all: <Row>(sql: string, values: readonly SqlValue[] = []) => prepare(sql).all(values) as Row[],
    script: (sql) => void database.exec(sql),
    transaction: (kind, work) => inTransaction(store, database, kind, work),
    close: () => closeDatabase(database, statements),
  };
  return store;
}

/** Filters come in any number of shapes; most of them are asked for again soon, or never. */
const MOST_STATEMENTS = 300;

function forgetOldest(statements: Map<string, unknown>): void {
  if (statements.size <= MOST_STATEMENTS) return;
  const [oldest] = statements.keys();
  if (oldest !== undefined) statements.delete(oldest);
}

function inTransaction<T>(
  store: Store,
  database: Database.Database,
  kind: 'read' | 'write',
  work: () => T,
): T {
  store.run(kind === 'write' ? 'BEGIN IMMEDIATE' : 'BEGIN');
  try {
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
  // Without this the newest documents stay in the -wal file: libsql lets go of a file only when
  // its statements have been garbage-collected.
  if (!database.memory) {
    database.pragma('synchronous = NORMAL');
    database.pragma('wal_checkpoint(PASSIVE)');
  }
  statements.clear();
  database.close();
}

/** Sets the database up for two processes at a time, and makes the tables of a new one. */
function prepareDatabase(store: Store, data: string): void {
  untilNotBusy(() => store.all('PRAGMA journal_mode = WAL'));
  // What is written outlives the process being killed, but not the machine losing power: waiting
  // for the disk takes a tenth of an import's time, and a rehearsal can be made again.
  store.all('PRAGMA synchronous = OFF');
  store.all('PRAGMA cache_size = -192000');
  // A page that several imports change is then written to the file once.
  store.all('PRAGMA wal_autocheckpoint = 4000');
  store.transaction('write', () => {
    const found = store.all<{ user_version: number }>('PRAGMA user_version')[0]?.user_version ?? 0;
    if (found === SCHEMA_VERSION) return;
    if (found !== 0) {
      throw new OptionError(
        `The data in "${data}" was written by another version of docferry; remove the folder, or use another one.`,
      );
    }
    store.script(SCHEMA);
    store.all(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
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
