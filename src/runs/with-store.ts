import { FolderStore } from './folder/store.js';
import { isShared } from './state-address.js';
import type { RunStore } from './store.js';

/**
 * Opens a store for the duration of `use`: a folder, or a database, whose code is loaded only then.
 */
export async function withStore<T>(
  place: string,
  use: (store: RunStore) => Promise<T>,
): Promise<T> {
  if (!isShared(place)) return await use(new FolderStore(place));
  const { PostgresStore } = await import('./postgres/store.js');
  return await PostgresStore.use(place, use);
}
