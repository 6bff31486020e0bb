import { OptionError } from '../../model/errors.js';
import { checkNames, type Names } from '../../model/options.js';
import { FolderStore, withStore } from '../../runs/folder/store.js';
import type { PruneChoice, Pruned } from '../../runs/store.js';

export type { Pruned } from '../../runs/store.js';

export interface PruneOptions {
  readonly stateDir: string;
  /** Only runs that began more than this many days ago; at least 0. */
  readonly olderThanDays: number;
  /** Only runs of inputs with these names; default: all. */
  readonly inputs?: readonly string[];
  /** Number of latest selected runs to keep regardless of age; default 0. */
  readonly keepLatest?: number;
}

const NAMES: Names<PruneOptions> = {
  stateDir: true,
  olderThanDays: true,
  inputs: true,
  keepLatest: true,
};

const DAY_MS = 86_400_000;

/**
 * Removes old finished runs. The ledger still knows what they imported, but `retry` can no longer
 * resend what was rejected.
 * @throws OptionError, JournalError
 */
export function pruneRuns(options: PruneOptions): Pruned {
  checkNames(options, NAMES, 'pruneRuns');
  const { stateDir, olderThanDays, inputs, keepLatest } = options;
  return new FolderStore(stateDir).prune(msBefore(olderThanDays), { inputs, keepLatest });
}

/**
 * Removes old finished runs from a folder, or from the database at an address.
 * @throws OptionError, JournalError
 */
export async function pruneRunsIn(
  state: string,
  olderThanDays: number,
  choice?: PruneChoice,
): Promise<Pruned> {
  const beganBeforeMs = msBefore(olderThanDays);
  return await withStore(state, async (store) => await store.prune(beganBeforeMs, choice));
}

function msBefore(days: number): number {
  if (days >= 0) return Date.now() - days * DAY_MS;
  throw new OptionError(`olderThanDays is ${days}; expected a number of at least 0.`);
}
