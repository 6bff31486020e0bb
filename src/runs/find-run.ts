/** Finds runs in a store, and takes them to resume them. */
import { ResumeError } from '../model/errors.js';
import { checkRepeatable, isSameJob, type Job } from './description.js';
import { type RunFacts, type RunStore, shardOf } from './store.js';
import { StoredRun } from './stored-run.js';

/**
 * Takes a run to resume it.
 * @throws ResumeError if it doesn't exist, another process has it, or it can't be resumed
 */
export async function takeRun(store: RunStore, id: string): Promise<StoredRun> {
  const shard = shardOf(id);
  if (shard !== undefined) {
    throw new ResumeError(
      `The run ${id} is a shard of ${shard.key}: to continue it, start it again with the command that began it (--run ${shard.key} --shard ${shard.index}/N).`,
    );
  }
  const run = await StoredRun.of(store, await store.take(id));
  try {
    checkRepeatable(id, run.description);
    return run;
  } catch (error) {
    await run.release();
    throw error;
  }
}

/** Finds the id of the latest unfinished run of the same inputs, mapping and target. */
export async function latestUnfinished(store: RunStore, now: Job): Promise<string | undefined> {
  for (const id of (await store.list()).toReversed()) {
    if (shardOf(id) !== undefined) continue;
    const isLeft = await ifStored(store, id, async () => {
      const run = await store.openReadOnly(id);
      return isSameJob(await run.description(), now) && isSomethingLeft((await run.facts()).report);
    });
    if (isLeft === true) return id;
  }
  return undefined;
}

/** Calls a function on a run; returns `undefined` if another process has pruned it meanwhile. */
export async function ifStored<T>(
  store: RunStore,
  id: string,
  use: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await use();
  } catch (error) {
    if ((await store.list()).includes(id)) throw error;
    return undefined;
  }
}

/** Returns whether a run has something left to do, by its last report. */
export function isSomethingLeft(report: RunFacts['report']): boolean {
  return report === undefined || report.resumable;
}
