/** Ends a run: makes its report, stores it and writes it to files. */
import { JournalError } from '../../model/errors.js';
import type { StopConditions } from '../../outcomes/stop-conditions.js';
import { OutputError, writeOutput } from '../../outputs/output-file.js';
import { reportHtml } from '../../report/html/report-html.js';
import {
  type EarlierRun,
  exitCodeOf,
  type Report,
  type UnwrittenFile,
} from '../../report/report.js';
import { isRepeatable } from '../../runs/description.js';
import type { StoredRun } from '../../runs/stored-run.js';
import { closeFigures } from './close-figures.js';
import type { RunEnd } from './import-run.js';
import type { PipelineRun } from './pipeline-run.js';
import type { PlannedOutputs } from './plan-outputs.js';
import { inputReport } from './prepare-run.js';
import { runReport } from './run-report.js';

/**
 * Makes the report of a run, stores it and writes its files. The report lists files that could not be
 * written.
 * @param stateDir folder whose runs it is compared with
 */
export async function finishRun(run: PipelineRun, stateDir?: string | false): Promise<RunEnd> {
  const { stored } = run;
  const history = stateDir && stored ? await openHistory(stateDir, stored, run) : undefined;
  const report = await storeReport(await reportOf(run, history?.earlier), run, stored);
  const written = await writeReportFiles(report, run.files, run.stops);
  history?.add(written);
  return runEndOf(written === report ? report : await storeReport(written, run, stored), run);
}

/** Loaded lazily; only imports with a state folder need it. */
async function openHistory(stateDir: string, stored: StoredRun, run: PipelineRun) {
  const { runHistory } = await import('./run-history.js');
  return runHistory(stateDir, stored, run);
}

/** Stores a report, and returns it; if that fails, the run counts as stopped. */
export async function storeReport(
  report: Report,
  { stops }: Pick<PipelineRun, 'stops'>,
  stored: Pick<StoredRun, 'finish'> | undefined,
): Promise<Report> {
  try {
    await stored?.finish(report);
    return report;
  } catch (error) {
    stops.stopIf(error, JournalError);
    return stoppedReport(report, error as JournalError);
  }
}

/** Closes the outcomes of a run that one process did alone, and makes its report. */
export async function reportOf(run: PipelineRun, earlier?: EarlierRun | null): Promise<Report> {
  const { sources, stored } = run;
  const closed = await closeFigures(run);
  const unapplied = run.stops.unappliedLimit(closed.tally.counts());
  const figures = { ...closed, notices: [...closed.notices, ...unapplied] };
  const canBeResumed =
    stored !== undefined && (sources.length === 0 || isRepeatable(stored.description));
  const inputs = sources.map(inputReport);
  const isStored = stored !== undefined;
  return await runReport(figures, { ...run, inputs, isStored, canBeResumed, earlier });
}

/** Turns the report of a finished run into that of a stopped one, because storing or writing it failed. */
function stoppedReport(report: Report, { message }: Error): Report {
  if (report.status !== 'finished') return report;
  const stop = { kind: 'output', message } as const;
  const stopped = { ...report, status: 'stopped' as const, stop };
  return { ...stopped, exitCode: exitCodeOf(stopped) };
}

/**
 * Writes the report to the files asked for.
 * @returns the report, which lists files that could not be written
 */
export async function writeReportFiles(
  report: Report,
  { reportFile, htmlFile, quotes }: PlannedOutputs,
  stops: StopConditions,
): Promise<Report> {
  let current = report;
  const write = (option: UnwrittenFile['option'], path: string, text: string): void => {
    try {
      writeOutput(path, text);
    } catch (error) {
      stops.stopIf(error, OutputError);
      const { message } = error as OutputError;
      const unwritten = [...current.unwritten, { option, path, message }];
      current = stoppedReport({ ...current, unwritten }, error as OutputError);
    }
  };
  if (htmlFile !== undefined) write('htmlFile', htmlFile, await reportHtml(current, { quotes }));
  // Written last, because it reports whether the page was written.
  if (reportFile !== undefined)
    write('reportFile', reportFile, `${JSON.stringify(current, null, 2)}\n`);
  return current;
}

/** @param run omitted for a run that finished in an earlier process */
export function runEndOf(report: Report, run?: PipelineRun): RunEnd {
  return { report, stop: run?.stops.reason ?? report.stop ?? undefined };
}
