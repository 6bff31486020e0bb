import { shardOf } from './shard-id.js';
import type { RunStore } from './store.js';
import { ifStored } from './stored-run.js';

/** Result of pruning. */
export interface Pruned {
  /** Ids of the removed runs. */
  readonly removed: readonly string[];
  /** Number of remaining runs: recent ones, unfinished ones, and running ones. */
  readonly remaining: number;
}

export interface PruneChoice {
  /** In milliseconds since 1970: only runs that began by then. */
  readonly beganBeforeMs: number;
  /** Names of inputs: only their runs; default: all runs. */
  readonly inputs?: readonly string[] | undefined;
  /** Number of the latest runs that are never removed; default 0. */
  readonly keepLatest?: number | undefined;
}

/** Removes finished runs. */
export async function prune(
  store: RunStore,
  { beganBeforeMs, inputs, keepLatest = 0 }: PruneChoice,
): Promise<Pruned> {
  const ids = await store.list();
  const chosen = inputs === undefined ? ids : await runsOf(store, ids, inputs);
  // The shards of an import are kept or removed together.
  const imports = [...new Set(chosen.map(importOf))];
  const kept = new Set(imports.slice(Math.max(0, imports.length - keepLatest)));
  const old = chosen.filter((id) => !kept.has(importOf(id)));
  const removed = await store.removeDone(old, beganBeforeMs);
  return { removed, remaining: ids.length - removed.length };
}

function importOf(id: string): string {
  return shardOf(id)?.key ?? id;
}

async function runsOf(
  store: RunStore,
  ids: readonly string[],
  inputs: readonly string[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const id of ids) {
    const description = await ifStored(store, id, async () => {
      return await (await store.openReadOnly(id)).description();
    });
    if (description?.inputs.some(({ name }) => inputs.includes(name))) found.push(id);
  }
  return found;
}
