import { OptionError } from '../../model/errors.js';
import { checkNames, type Names } from '../../model/options.js';
import { ifStored } from '../../runs/find-run.js';
import { openStore } from '../../runs/open-store.js';
import { type RunStore, shardOf } from '../../runs/store.js';
import { givenState, type RunLocation } from './with-stored-run.js';

/** Result of pruning. */
export interface Pruned {
  /** Ids of the removed runs. */
  readonly removed: readonly string[];
  /** Number of remaining runs: recent ones, unfinished ones, and running ones. */
  readonly remaining: number;
}

export interface PruneOptions extends RunLocation {
  /** Only runs that began more than this many days ago; at least 0. */
  readonly olderThanDays: number;
  /** Only runs of inputs with these names; default: all. */
  readonly inputs?: readonly string[];
  /** Number of latest selected runs to keep regardless of age; default 0. */
  readonly keepLatest?: number;
}

const NAMES: Names<PruneOptions> = {
  stateDir: true,
  state: true,
  olderThanDays: true,
  inputs: true,
  keepLatest: true,
};

const DAY_MS = 86_400_000;

/**
 * Removes old finished runs. Their documents are still recognised, but `retry` can no longer resend
 * what was rejected.
 * @throws OptionError, JournalError
 */
export async function pruneRuns(options: PruneOptions): Promise<Pruned> {
  checkNames(options, NAMES, 'pruneRuns');
  const { olderThanDays } = options;
  const state = givenState(options, 'pruneRuns');
  if (!(olderThanDays >= 0)) {
    throw OptionError.of('olderThanDays', `is ${olderThanDays}; expected a number of at least 0.`);
  }
  await using store = await openStore(state);
  return await prune(store, options);
}

async function prune(
  store: RunStore,
  { olderThanDays, inputs, keepLatest = 0 }: PruneOptions,
): Promise<Pruned> {
  const ids = await store.list();
  const chosen = inputs === undefined ? ids : await runsOf(store, ids, inputs);
  // The shards of an import are kept or removed together.
  const imports = [...new Set(chosen.map(importOf))];
  const kept = new Set(imports.slice(Math.max(0, imports.length - keepLatest)));
  const old = chosen.filter((id) => !kept.has(importOf(id)));
  const removed = await store.removeDone(old, Date.now() - olderThanDays * DAY_MS);
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
