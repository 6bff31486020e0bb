import { SqliteStore } from './sqlite/store.js';

/** Opens the runs of a place: the only one that knows which kinds of stores there are. */
export function openStore(stateDir: string): SqliteStore {
  return new SqliteStore(stateDir);
}
