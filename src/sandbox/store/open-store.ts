import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { OptionError } from '../../model/errors.js';
import { openDatabase, type Store } from './database.js';
import { indexMissed } from './index-missed.js';
import { SCHEMA, SCHEMA_VERSION } from './schema.js';
import { createWordIndex, openWordIndex, wordsFile } from './word-index.js';

/** Authors come in any order, so their index is written all over. */
const CACHE_KIB = 192_000;

/**
 * Opens the sandbox's database in the folder `data`, or in memory, with the index of words beside
 * it under the name `words`. Throws {@link OptionError}.
 */
export function openStore(data: string): Store {
  try {
    if (data === ':memory:') return openInMemory();
    mkdirSync(data, { recursive: true, mode: 0o700 });
    for (const file of [storeFile(data), wordsFile(data)]) makePrivate(file);
    return openInFolder(data);
  } catch (error) {
    if (error instanceof OptionError) throw error;
    throw new OptionError(
      `The sandbox can't keep its data in "${data}": ${(error as Error).message}. ` +
        'Give a folder that can be written to.',
    );
  }
}

function openInMemory(): Store {
  const store = openDatabase(':memory:', CACHE_KIB);
  store.script(SCHEMA);
  store.run('ATTACH ? AS words', [':memory:']);
  createWordIndex(store, 'words');
  return store;
}

function storeFile(data: string): string {
  return path.join(data, 'sandbox.db');
}

/**
 * Makes a database file that nobody else may read. One that is there is not opened: closing it would
 * release the locks that other threads hold on it.
 */
function makePrivate(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'wx', 0o600));
}

function openInFolder(data: string): Store {
  const store = openDatabase(storeFile(data), CACHE_KIB);
  store.transaction('write-all', () => createTables(store, data));
  const index = openWordIndex(data);
  store.run('ATTACH ? AS words', [wordsFile(data)]);
  indexMissed(store, index);
  index.close();
  return store;
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
