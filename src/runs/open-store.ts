import { SqliteStore } from './folder/store.js';
import { isShared } from './state-address.js';
import type { RunStore } from './store.js';

/** Opens the runs of a folder. */
export function openStore(stateDir: string): SqliteStore {
  return new SqliteStore(stateDir);
}

/**
 * Lends the runs of a place: a folder, or the address of a database. What the latter takes is loaded
 * only then.
 */
export async function withStore<T>(
  place: string,
  use: (store: RunStore) => Promise<T>,
): Promise<T> {
  if (!isShared(place)) return await use(openStore(place));
  const { PostgresStore } = await import('../cluster/postgres/store.js');
  const store = await PostgresStore.open(place);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}
