import { ResumeError } from '../model/errors.js';
import type { ImportOptions } from '../operations/options.js';
import type { PreparedRun } from '../operations/pipeline/prepare-run.js';
import { writeReportAgain } from '../operations/pipeline/report-file.js';
import type { Report } from '../report/report.js';
import { describeRun, givenOptions, targetOf } from './describe-run.js';
import {
  checkUnchanged,
  isUnfinished,
  type ResumableRun,
  runLeftUndone,
  takeLatestRun,
  takeRun,
  twinUnderWay,
} from './find-run.js';
import { RunJournal } from './run-journal.js';
import type { RunDescription, RunTarget } from './sqlite/description.js';
import type { Ledger } from './sqlite/ledger.js';
import { alone, createRun, type HeldRun } from './sqlite/run-folders.js';

/** What of a run outlives its process. */
export interface KeptRun {
  readonly journal: RunJournal;
  /** The folder in which it is kept, beside others. */
  readonly stateDir: string;
  /** `undefined` if it isn't wanted. */
  readonly ledger: Ledger | undefined;
  /** Where documents go, by the name under which it is remembered. */
  readonly target: RunTarget;
  /**
   * An earlier process that may have sent what the journals no longer know: when the journal was
   * last written, if that was cut off, milliseconds since 1970. `undefined`: there was none.
   */
  readonly before: { readonly cutOffMs: number | undefined } | undefined;
  /** Writes what waits, and lets go of the run. */
  release(): void;
}

/**
 * Takes the run that is to go on, or `undefined` if a new one is to begin.
 * @throws ResumeError if it can't
 */
export function takeEarlierRun(
  options: ImportOptions,
  target: NonNullable<PreparedRun['target']>,
): ResumableRun | undefined {
  const { stateDir, resume } = options;
  if (stateDir === undefined || resume === undefined || resume === false) return undefined;
  if (resume !== true) return takeRun(stateDir, resume);
  const now = { options: givenOptions(options), target: targetOf(options, { target }) };
  return takeLatestRun(stateDir, now);
}

/**
 * The report of an earlier run that has nothing left to do, written where it is asked for;
 * `undefined` for one that has.
 * @throws OptionError if it can't be written there
 */
export async function finishedReport(
  { held }: ResumableRun,
  options: ImportOptions,
): Promise<Report | undefined> {
  const report = held.journal.report as Report | undefined;
  if (isUnfinished(report) || report === undefined) return undefined;
  if (options.retryRejected && report.counts.rejected > 0) return undefined;
  return await writeReportAgain(report, held, options);
}

/**
 * Begins to keep a run, or goes on with an earlier one after making sure that it is still the same.
 * @returns `undefined` if there is no folder to keep it in
 * @throws ResumeError, JournalError
 */
export async function keepRun(
  options: ImportOptions,
  run: PreparedRun,
  earlier: ResumableRun | undefined,
): Promise<KeptRun | undefined> {
  const { stateDir } = options;
  if (stateDir === undefined) return undefined;
  const description = describeRun(options, run);
  if (earlier !== undefined) checkUnchanged(run.id, earlier.description, description);
  const skips = (options.ledger ?? true) && (options.skipKnown ?? true);
  const before = earlier === undefined ? undefined : processBefore(earlier);
  const undone = earlier === undefined && skips ? runLeftUndone(stateDir, description) : undefined;
  const held = earlier?.held ?? beginRun(stateDir, run.id, description);
  try {
    if (earlier !== undefined) held.journal.reopen();
    run.outputs.rememberWith((marks) => {
      held.journal.outputs = marks;
    });
    const ledger = skips ? await openLedger(stateDir, run.id) : undefined;
    return {
      journal: new RunJournal(held, run.stops),
      stateDir,
      ledger,
      target: description.target,
      before: before ?? undone,
      release: () => {
        ledger?.close();
        held.release();
      },
    };
  } catch (error) {
    held.release();
    throw error;
  }
}

/** A run that has a report was not cut off: nothing was sent after that was written. */
function processBefore({ held }: ResumableRun): KeptRun['before'] {
  return { cutOffMs: held.journal.report === undefined ? held.touchedMs : undefined };
}

/** Begins a run, unless another process is sending the same: each would know nothing of the other. */
function beginRun(stateDir: string, id: string, description: RunDescription): HeldRun {
  return alone(stateDir, () => {
    const twin = twinUnderWay(stateDir, description);
    if (twin !== undefined) {
      throw new ResumeError(
        `The run ${twin} sends the same input to the same monitoring, and is under way in another process: wait until it ends. Both together would import everything twice.`,
      );
    }
    return createRun(stateDir, id, description);
  });
}

async function openLedger(stateDir: string, run: string): Promise<Ledger> {
  const { Ledger } = await import('./sqlite/ledger.js');
  const ledger = new Ledger(stateDir);
  ledger.takeInAll(run);
  return ledger;
}
