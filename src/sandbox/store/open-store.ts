import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { OptionError } from '../../model/errors.js';
import { openDatabase, type Store } from './database.js';
import { SCHEMA, SCHEMA_VERSION } from './schema.js';

/** Opens the sandbox's database in the folder `data`, or in memory. Throws {@link OptionError}. */
export function openStore(data: string): Store {
  try {
    const store = openDatabase(data === ':memory:' ? data : databaseFile(data));
    store.transaction('write', () => createTables(store, data));
    return store;
  } catch (error) {
    if (error instanceof OptionError) throw error;
    throw new OptionError(
      `The sandbox can't keep its data in "${data}": ${(error as Error).message}. ` +
        'Give a folder that can be written to.',
    );
  }
}

/**
 * The database file, which nobody else may read. One that is there is not opened: closing it would
 * release the locks that another sandbox of this process holds on it.
 */
function databaseFile(data: string): string {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const file = path.join(data, 'sandbox.db');
  if (!existsSync(file)) closeSync(openSync(file, 'wx', 0o600));
  return file;
}

function createTables(store: Store, data: string): void {
  const found = store.all<{ user_version: number }>('PRAGMA user_version')[0]?.user_version ?? 0;
  if (found === SCHEMA_VERSION) return;
  if (found !== 0) {
    throw new OptionError(
      `The data in "${data}" was written by another version of docferry; remove the folder, or use another one.`,
    );
  }
  store.script(SCHEMA);
  store.all(`PRAGMA user_version = ${SCHEMA_VERSION}`);
}
