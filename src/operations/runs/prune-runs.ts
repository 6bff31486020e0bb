import { OptionError } from '../../model/errors.js';
import { checkNames, type Names } from '../../model/options.js';
import { FolderStore, withStore } from '../../runs/folder/store.js';
import type { PruneChoice, Pruned } from '../../runs/store.js';

export type { Pruned } from '../../runs/store.js';

/** Which runs are to be removed. */
export interface PruneOptions {
  readonly stateDir: string;
  /** Only those that began more than so many days ago, at least 0. */
  readonly olderThanDays: number;
  /** Only those of inputs with these names; default: all. */
  readonly inputs?: readonly string[];
  /** How many of the latest of them stay however old they are; default 0. */
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
 * Removes runs that are finished and old. What they imported stays known: the ledger takes it in
 * before. What they rejected can't be sent again by `retry` any more.
 * @throws OptionError, JournalError
 */
export function pruneRuns(options: PruneOptions): Pruned {
  checkNames(options, NAMES, 'pruneRuns');
  const { stateDir, olderThanDays, inputs, keepLatest } = options;
  return new FolderStore(stateDir).prune(momentBefore(olderThanDays), { inputs, keepLatest });
}

/**
 * The same in a folder, or in the database of this address.
 * @throws OptionError, JournalError
 */
export async function pruneRunsIn(
  place: string,
  olderThanDays: number,
  choice?: PruneChoice,
): Promise<Pruned> {
  const moment = momentBefore(olderThanDays);
  return await withStore(place, async (store) => await store.prune(moment, choice));
}

function momentBefore(days: number): number {
  if (days >= 0) return Date.now() - days * DAY_MS;
  throw new OptionError(`olderThanDays is ${days}; expected a number, at least 0.`);
}
