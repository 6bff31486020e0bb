import { OptionError } from '../../model/errors.js';
import { checkNames, type Names } from '../../model/options.js';
import { type Pruned, prune } from '../../runs/prune.js';
import { withStore } from '../../runs/with-store.js';
import { givenState, type RunLocation } from './with-stored-run.js';

export type { Pruned } from '../../runs/prune.js';

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
  const { olderThanDays, inputs, keepLatest } = options;
  const state = givenState(options, 'pruneRuns');
  if (!(olderThanDays >= 0)) {
    throw OptionError.of('olderThanDays', `is ${olderThanDays}; expected a number of at least 0.`);
  }
  const beganBeforeMs = Date.now() - olderThanDays * DAY_MS;
  return await withStore(state, (store) => prune(store, { beganBeforeMs, inputs, keepLatest }));
}
