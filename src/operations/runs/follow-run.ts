import { setTimeout as wait } from 'node:timers/promises';
import { type Progress, stampEvent } from '../../outcomes/events.js';
import type { RunEvent } from '../../report/report.js';
import type { RunDescription } from '../../runs/description.js';
import { readProgress } from '../../runs/folder/run-files.js';
import { withStore } from '../../runs/folder/store.js';
import { isShared } from '../options.js';
import { describeRun, showRun } from './show-runs.js';

/** How often it is looked how far the run is, in milliseconds. */
const LOOK_MS = 500;

/** A run to follow. */
export interface FollowOptions {
  /** Folder of its journal, or the address of a shared state. */
  readonly state: string;
  readonly run: string;
  /** Stops following; the run itself continues. */
  readonly signal?: AbortSignal;
}

/**
 * Follows a run that another process has: `progress` as it comes, and `end` with its report. One that
 * was cut off has no report, and ends without.
 * @throws ResumeError if there is none of this name; JournalError
 */
export async function* followRun({
  state,
  run,
  signal,
}: FollowOptions): AsyncGenerator<RunEvent, void, undefined> {
  const description = await describeRun(state, run);
  for (let told = ''; !signal?.aborted; await pause(signal)) {
    // First: what it says once it has ended is its last word.
    const isOver = !(await withStore(state, (store) => store.isRunning(run)));
    const progress = await progressOf(state, run, description);
    const text = JSON.stringify(progress?.counts);
    if (progress !== undefined && text !== told)
      yield stampEvent({ type: 'progress', progress }, run);
    told = text;
    if (isOver) break;
  }
  if (signal?.aborted) return;
  const { report } = await showRun(state, run);
  if (report !== undefined) yield stampEvent({ type: 'end', report }, run);
}

async function pause(signal?: AbortSignal): Promise<void> {
  await wait(LOOK_MS, undefined, signal === undefined ? {} : { signal }).catch(() => {});
}

/** `undefined`: nobody has said so yet, or it is over. */
async function progressOf(
  state: string,
  run: string,
  description: RunDescription | undefined,
): Promise<Progress | undefined> {
  if (!isShared(state)) return readProgress(state, run);
  const { progressOfRun } = await import('../../cluster/cluster.js');
  const shared = await progressOfRun(state, run);
  if (shared === undefined || description === undefined) return undefined;
  const { bytesRead, ...counts } = shared.counts;
  const sizes = description.inputs.map(({ size }) => size);
  const bytesTotal = sizes.reduce(
    (sum, size) => (sum === null || size === null ? null : sum + size),
    0,
  );
  const elapsedMs = Date.now() - Date.parse(description.started);
  return { counts, bytesRead, bytesTotal, elapsedMs };
}
