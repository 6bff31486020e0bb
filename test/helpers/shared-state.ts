import { PostgresStore } from '../../src/runs/postgres/store.js';
import { newDatabase } from './postgres.js';

/** What all who share a state go by: see `docferry.settings`. */
export interface StateSettings {
  readonly beatMs?: number;
  readonly expiryMs?: number;
  readonly marginMs?: number;
}

/**
 * Makes a shared state for the running test.
 * @param url an empty database; by default a new one on the shared server
 * @returns its address
 */
export async function newSharedState(settings: StateSettings = {}, url?: string): Promise<string> {
  const state = url ?? (await newDatabase());
  const store = await PostgresStore.open(state);
  const { beatMs = 5_000, expiryMs = 30_000, marginMs = 10_000 } = settings;
  await store.database.rows(
    `UPDATE docferry.settings
     SET beat_ms = $1, expiry_ms = $2, margin_ms = $3`,
    [beatMs, expiryMs, marginMs],
  );
  await store[Symbol.asyncDispose]();
  return state;
}
