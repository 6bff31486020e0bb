/** What can be asked of runs that several processes work on, beside what can be of all runs. */
import { OptionError } from '../model/errors.js';
import type { Pruned } from '../operations/runs/prune-runs.js';
import type { PostgresStore, RunProgress } from './postgres/store.js';

export type { RunProgress } from './postgres/store.js';

/** How far a run is; `undefined`: it has ended. */
export async function progressOfRun(state: string, run: string): Promise<RunProgress | undefined> {
  return await lend(state, async (store) => {
    const found = await store.find(run);
    return found.state === 'ended' ? undefined : await store.progress(found.run);
  });
}

/** As `pruneRuns` does in a folder. */
export async function pruneSharedRuns({
  state,
  olderThanDays,
}: {
  readonly state: string;
  readonly olderThanDays: number;
}): Promise<Pruned> {
  if (!(olderThanDays >= 0)) {
    throw new OptionError(`olderThanDays is ${olderThanDays}; expected a number, at least 0.`);
  }
  return await lend(state, (store) => store.prune(Date.now() - olderThanDays * DAY_MS));
}

const DAY_MS = 86_400_000;

async function lend<T>(state: string, use: (store: PostgresStore) => Promise<T>): Promise<T> {
  const { PostgresStore } = await import('./postgres/store.js');
  const store = await PostgresStore.open(state);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}
