import { OptionError } from '../../model/errors.js';
import { checkNames, type Names } from '../../model/options.js';
import { FolderStore } from '../../runs/folder/store.js';

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

/** What became of the runs of a state folder. */
export interface Pruned {
  /** Ids of the runs that are gone. */
  readonly removed: readonly string[];
  /** How many are left: recent ones, and those that left something undone or are running. */
  readonly kept: number;
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
  if (!(olderThanDays >= 0)) {
    throw new OptionError(`olderThanDays is ${olderThanDays}; expected a number, at least 0.`);
  }
  return new FolderStore(stateDir).prune(Date.now() - olderThanDays * DAY_MS, {
    inputs,
    keepLatest,
  });
}
