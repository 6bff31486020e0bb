import { isDeepStrictEqual } from 'node:util';
import { ResumeError } from '../model/errors.js';
import type { Report } from '../report/report.js';
import { changesSince, type RunDescription, unrepeatable } from './sqlite/description.js';
import type { Journal } from './sqlite/journal.js';
import {
  type HeldRun,
  holdRun,
  isHeld,
  lastTouched,
  listRuns,
  lookAtRun,
} from './sqlite/run-folders.js';

/** An unfinished run that this process goes on with. */
export interface ResumableRun {
  readonly held: HeldRun;
  readonly description: RunDescription;
}

/**
 * Takes a run, to go on with it.
 * @throws ResumeError if it isn't there, is under way, or can't be gone on with
 */
export function takeRun(stateDir: string, id: string): ResumableRun {
  const held = holdRun(stateDir, id);
  try {
    const { description } = held.journal;
    if (description === undefined) {
      throw new ResumeError(
        `The run ${id} was cut off before anything was sent: there is nothing to go on with. Start it again.`,
      );
    }
    const [once] = unrepeatable(description);
    if (once !== undefined) {
      throw new ResumeError(
        `The run ${id} can't be gone on with: ${once} could be read only once. Give such input a key (inputKey) if it can be had again with the same records in the same order.`,
      );
    }
    if (description.mapping.hash === null) {
      throw new ResumeError(
        `The run ${id} can't be resumed: its mapping is a function, and nothing says that it is still the same. Give it a key (mappingKey) that changes when its documents do.`,
      );
    }
    return { held, description };
  } catch (error) {
    held.release();
    throw error;
  }
}

/**
 * Finds the latest unfinished run of the same inputs, mapping and target, and takes it.
 * @param now what the run would be if it began now
 * @returns `undefined` if there is none
 * @throws ResumeError if it is under way or can't be gone on with
 */
export function takeLatestRun(
  stateDir: string,
  now: Pick<RunDescription, 'options' | 'target'>,
): ResumableRun | undefined {
  const latest = listRuns(stateDir)
    .toReversed()
    .find((id) =>
      lookAtRun(
        stateDir,
        id,
        ({ description, report }) =>
          description !== undefined && isSameJob(description, now) && isUnfinished(report),
      ),
    );
  return latest === undefined ? undefined : takeRun(stateDir, latest);
}

/** Runs that are looked at, the latest ones: what is under way was not begun long ago. */
const MOST_LATEST = 50;

/** A run under way that sends one of the same inputs to the same target. */
export function twinUnderWay(stateDir: string, now: RunDescription): string | undefined {
  return listRuns(stateDir)
    .slice(-MOST_LATEST)
    .find((id) => {
      if (!isHeld(stateDir, id)) return false;
      const before = lookAtRun(stateDir, id, ({ description }) => description);
      return before !== undefined && isTwin(before, now);
    });
}

/**
 * A run to the same target that was left undone: it may have sent what its journal no longer knows.
 * Which input it had is of no matter, as a folder may be copied and files renamed.
 */
export function runLeftUndone(
  stateDir: string,
  now: RunDescription,
): { readonly cutOffMs: number | undefined } | undefined {
  const undone = listRuns(stateDir)
    .slice(-MOST_LATEST)
    // Before they are opened, which itself may touch their files.
    .map((id) => ({ id, touchedMs: lastTouched(stateDir, id) }))
    .flatMap(({ id, touchedMs }) => lookAtRun(stateDir, id, undoneOf(now, touchedMs)) ?? []);
  if (undone.length === 0) return undefined;
  const cutOff = undone.flatMap(({ cutOffMs }) => cutOffMs ?? []);
  return { cutOffMs: cutOff.length === 0 ? undefined : Math.max(...cutOff) };
}

/** A run that has a report was not cut off: nothing was sent after that was written. */
function undoneOf(
  now: RunDescription,
  touchedMs: number,
): (journal: Journal) => { readonly cutOffMs: number | undefined } | undefined {
  return ({ description, report }) => {
    if (!isDeepStrictEqual(description?.target, now.target) || !isUnfinished(report))
      return undefined;
    return { cutOffMs: report === undefined ? touchedMs : undefined };
  };
}

function isTwin(before: RunDescription, now: RunDescription): boolean {
  if (!isDeepStrictEqual(before.target, now.target)) return false;
  if (now.inputKey !== null && before.inputKey === now.inputKey) return true;
  const paths = new Set(before.inputs.map(({ path }) => path));
  return now.inputs.some(({ path }) => path !== null && paths.has(path));
}

/** Whether something is left to do, going by a run's last report. */
export function isUnfinished(report: unknown): boolean {
  return report === undefined || (report as Report).resumable;
}

/**
 * Makes sure that a run that goes on is still the same.
 * @throws ResumeError that says what has changed
 */
export function checkUnchanged(id: string, before: RunDescription, now: RunDescription): void {
  const changes = changesSince(before, now);
  if (changes.length === 0) return;
  throw new ResumeError(
    `The run ${id} can't be gone on with: ${changes.join('; ')}. Start a new run instead: what was accepted is known, and isn't sent again.`,
  );
}

/** The same inputs, mapping and target by name; what is in them is looked at later. */
function isSameJob(
  before: RunDescription,
  now: Pick<RunDescription, 'options' | 'target'>,
): boolean {
  const names = ({ options }: Pick<RunDescription, 'options'>): unknown[] => [
    options['input'],
    options['mapping'],
    options['inputKey'] ?? null,
    options['mappingKey'] ?? null,
    options['folder'],
  ];
  return (
    isDeepStrictEqual(before.target, now.target) &&
    isDeepStrictEqual(
      JSON.parse(JSON.stringify(names(before))),
      JSON.parse(JSON.stringify(names(now))),
    )
  );
}
