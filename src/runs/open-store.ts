import { FolderStore } from './folder/store.js';
import { isShared } from './state-address.js';
import type { RunStore } from './store.js';

/**
 * Opens the store of a state, to be closed with `await using`: a folder, or a database, whose code is
 * loaded only then.
 * @throws OptionError, JournalError if the database can't be used
 */
export async function openStore(state: string): Promise<RunStore & AsyncDisposable> {
  if (!isShared(state)) return new FolderStore(state);
  const { PostgresStore } = await import('./postgres/store.js');
  return await PostgresStore.open(state);
}
