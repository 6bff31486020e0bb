import { isDeepStrictEqual } from 'node:util';
import { checkRepeatable, isSameJob, type Job, type RunDescription } from './description.js';
import { type ProcessBefore, Run } from './run.js';
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

/** Runs that are looked at, the latest ones: what is unfinished was not begun long ago. */
const MAX_LATEST = 50;

/**
 * Runs to the same target that were left undone: they may have sent what their journals no longer
 * know. Which input they had is of no matter, as a folder may be copied and files renamed.
 */
export async function leftUndone(
  store: RunStore,
  { target }: RunDescription,
): Promise<ProcessBefore | undefined> {
  const undone: ProcessBefore[] = [];
  for (const id of (await store.list()).slice(-MAX_LATEST)) {
    // One that is running knows itself what it has sent.
    if (await store.isRunning(id)) continue;
    await store.look(id, async (run) => {
      const description = await run.read('description');
      if (!isDeepStrictEqual(description?.target, target) || !(await isUnfinished(run))) return;
      // A run that has a report was not cut off.
      const isCutOff = (await run.read('report')) === undefined;
      undone.push({ cutOffMs: isCutOff ? run.touchedMs : undefined });
    });
  }
  if (undone.length === 0) return undefined;
  const cutOff = undone.flatMap(({ cutOffMs }) => cutOffMs ?? []);
  return { cutOffMs: cutOff.length === 0 ? undefined : Math.max(...cutOff) };
}

async function isUnfinished(run: StoredRun): Promise<boolean> {
  return isSomethingLeft(await run.read('report'));
}

/** Whether something is left to do, going by a run's last report. */
export function isSomethingLeft(report: RunFacts['report'] | undefined): boolean {
  return report === undefined || report.resumable;
}
