import { checkRepeatable, isSameJob, type Job } from './description.js';
import { Run } from './run.js';
import type { RunFacts, RunStore, StoredRun } from './store.js';

/**
 * Takes a run to resume it.
 * @throws ResumeError if it isn't there, a process has it, or it can't be resumed
 */
export async function takeRun(store: RunStore, id: string): Promise<Run> {
  const run = await Run.take(store, id);
  try {
    checkRepeatable(id, run.description);
    return run;
  } catch (error) {
    await run.release();
    throw error;
  }
}

/**
 * Takes the latest unfinished run of the same inputs, mapping and target; `undefined` if there is none.
 * @throws ResumeError if a process has it, or it can't be resumed
 */
export async function takeLatestRun(store: RunStore, now: Job): Promise<Run | undefined> {
  for (const id of (await store.list()).toReversed()) {
    const isIt = await store.look(id, async (run) => {
      const description = await run.read('description');
      return description !== undefined && isSameJob(description, now) && (await isUnfinished(run));
    });
    if (isIt) return await takeRun(store, id);
  }
  return undefined;
}

async function isUnfinished(run: StoredRun): Promise<boolean> {
  return isSomethingLeft(await run.read('report'));
}

/** Whether something is left to do, going by a run's last report. */
export function isSomethingLeft(report: RunFacts['report'] | undefined): boolean {
  return report === undefined || report.resumable;
}
