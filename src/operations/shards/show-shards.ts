import { setTimeout as sleep } from 'node:timers/promises';
import type { ShardState } from '../../runs/postgres/groups.js';
import { PostgresStore } from '../../runs/postgres/store.js';
import { readPlan } from './group-plan.js';
import { findImport } from './merge-shards.js';

export type { ShardState } from '../../runs/postgres/groups.js';

/** Progress of all shards of an import. */
export interface ImportProgress {
  readonly shards: readonly ShardState[];
  /** In milliseconds since 1970. */
  readonly startedMs: number;
  readonly inputs: readonly string[];
  /** Size of all inputs on disk; in an archive, of the archive for each member. */
  readonly bytesTotal: number;
}

/** @throws ResumeError if there is no import in shards with this name; JournalError */
export async function shardsOf(state: string, key: string): Promise<ImportProgress> {
  await using store = await PostgresStore.open(state);
  return await progressOf(store, key);
}

async function progressOf(store: PostgresStore, key: string): Promise<ImportProgress> {
  const { group, defined, states } = await findImport(store, key);
  const { inputs } = readPlan(defined.plan);
  return {
    shards: states,
    startedMs: group.started.getTime(),
    inputs: inputs.map(({ name }) => name),
    bytesTotal: inputs.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
  };
}

const POLL_MS = 1_000;

/** Yields the progress of an import every second, until all shards are done. */
export async function* followShards(
  state: string,
  key: string,
  signal: AbortSignal,
): AsyncGenerator<ImportProgress, void, undefined> {
  await using store = await PostgresStore.open(state);
  while (!signal.aborted) {
    const progress = await progressOf(store, key);
    yield progress;
    if (progress.shards.every((one) => one.state === 'done')) return;
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
  }
}
