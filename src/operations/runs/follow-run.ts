import { setTimeout as wait } from 'node:timers/promises';
import { totalBytes } from '../../model/source.js';
import { type Progress, stampEvent } from '../../outcomes/events.js';
import type { RunEvent } from '../../report/report.js';
import type { RunDescription } from '../../runs/description.js';
import { readProgress } from '../../runs/folder/run-files.js';
import { withStore } from '../../runs/folder/store.js';
import { isShared } from '../options.js';
import { readDescription, showRun } from './show-runs.js';

/** Polling interval in milliseconds. */
const POLL_MS = 500;

export interface FollowOptions {
  /** State folder, or the address of a shared state. */
  readonly state: string;
  readonly run: string;
  /** Stops following; the run itself continues. */
  readonly signal?: AbortSignal;
}

/**
 * Follows a run of another process: yields `progress` events and finally `end` with the report. A run
 * that was cut off has no report, so its events finish without `end`.
 * @throws ResumeError if there is no run with this id; JournalError
 */
export async function* followRun({
  state,
  run,
  signal,
}: FollowOptions): AsyncGenerator<RunEvent, void, undefined> {
  const description = await readDescription(state, run);
  for (let lastCounts = ''; !signal?.aborted; await pause(signal)) {
    // Checked before reading progress, so that the progress of an ended run is final.
    const isOver = !(await withStore(state, (store) => store.isRunning(run)));
    const progress = await progressOf(state, run, description);
    const counts = JSON.stringify(progress?.counts);
    if (progress !== undefined && counts !== lastCounts)
      yield stampEvent({ type: 'progress', progress }, run);
    lastCounts = counts;
    if (isOver) break;
  }
  if (signal?.aborted) return;
  const { report } = await showRun(state, run);
  if (report !== undefined) yield stampEvent({ type: 'end', report }, run);
}

async function pause(signal?: AbortSignal): Promise<void> {
  await wait(POLL_MS, undefined, signal === undefined ? {} : { signal }).catch(() => {});
}

/** Latest published progress; `undefined` before the first and after the end. */
async function progressOf(
  state: string,
  run: string,
  description: RunDescription,
): Promise<Progress | undefined> {
  if (!isShared(state)) return readProgress(state, run);
  const { progressOfRun } = await import('../../cluster/run-progress.js');
  const shared = await progressOfRun(state, run);
  if (shared === undefined) return undefined;
  const { bytesRead, ...counts } = shared.counts;
  const elapsedMs = Date.now() - Date.parse(description.started);
  return { counts, bytesRead, bytesTotal: totalBytes(description.inputs), elapsedMs };
}
