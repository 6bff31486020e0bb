import { JournalError } from '../../model/errors.js';
import { stampEvent } from '../../outcomes/events.js';
import type { StopConditions, StopReport } from '../../outcomes/stop-conditions.js';
import { OutputError, type OutputFile } from '../../outputs/output-file.js';
import { exitCodeOf } from '../../report/exit-code.js';
import { reportHtml } from '../../report/html/report-html.js';
import type { Report } from '../../report/report.js';
import { isRepeatable } from '../../runs/description.js';
import type { Run } from '../../runs/run.js';
import type { RunEnd } from './import-run.js';
import { type OutputSettings, type PlannedOutputs, planOutputs } from './plan-outputs.js';
import { inputReport, type PreparedRun } from './prepare-run.js';
import { closeFigures, runReport } from './run-report.js';

/**
 * Makes the report of a run, stores it and writes it where that is asked for. What can't be written
 * is in the report.
 */
export async function finishRun(run: PreparedRun, stored?: Run): Promise<RunEnd> {
  const report = await storeReport(reportOf(run, stored), run, stored);
  const written = await writeReportFiles(report, run.files, run.stops);
  return endOf(written === report ? report : await storeReport(written, run, stored), run);
}

async function storeReport(
  report: Report,
  { stops }: PreparedRun,
  stored: Run | undefined,
): Promise<Report> {
  try {
    await stored?.finish(report);
    return report;
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    const stop = { kind: 'output', message: error.message, cause: error } as const;
    stops.stop(stop);
    return stoppedReport(report, stop);
  }
}

/** Closes a run's outcomes, and makes its report. */
export function reportOf(run: PreparedRun, stored?: Run): Report {
  const { sources } = run;
  const figures = closeFigures(run, { inputs: sources.length, stored });
  const canBeResumed =
    stored !== undefined && (sources.length === 0 || isRepeatable(stored.description));
  return runReport(figures, { ...run, inputs: sources.map(inputReport), canBeResumed });
}

/** The report of a run that could not be brought to its end after all. */
function stoppedReport(report: Report, { kind, message }: StopReport): Report {
  if (report.status !== 'finished') return report;
  const stopped = { ...report, status: 'stopped' as const, stop: { kind, message } };
  return { ...stopped, exitCode: exitCodeOf(stopped) };
}

/**
 * Writes the report to the files that were asked for, if any were. What has happened doesn't get
 * lost with a file: if it can't be written, the report says so.
 */
export async function writeReportFiles(
  report: Report,
  { outputs, reportFile, htmlFile }: PlannedOutputs,
  stops?: StopConditions,
): Promise<Report> {
  let told = report;
  const write = (file: string, text: string): void => {
    try {
      writeText(outputs.create(file), text);
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
      const stop = { kind: 'output', message: error.message, cause: error } as const;
      stops?.stop(stop);
      told = stoppedReport({ ...told, notices: [...told.notices, error.message] }, stop);
    }
  };
  if (htmlFile !== undefined) write(htmlFile, await reportHtml(told));
  // The last one, as it tells of the other, too.
  if (reportFile !== undefined) write(reportFile, `${JSON.stringify(told, null, 2)}\n`);
  return told;
}

function writeText(file: OutputFile, text: string): void {
  try {
    file.write(Buffer.from(text));
  } finally {
    file.close();
  }
}

/** Writes the report of a run that had nothing left to do once more, where it is asked for now. */
export async function writeReportAgain(
  report: Report,
  kept: Run,
  options: OutputSettings,
): Promise<Report> {
  const { rejects: _, ...asked } = options;
  const planned = await planOutputs(asked, { id: kept.id, sources: [], marks: kept.outputs });
  planned.outputs.rememberWith((marks) => kept.rememberOutputs(marks));
  const written = await writeReportFiles(report, planned);
  if (planned.eventsFile !== undefined) await tellEnd(written, planned.eventsFile);
  return written;
}

/** All that there is to tell of a run that had ended before. @throws OutputError */
async function tellEnd(report: Report, file: string): Promise<void> {
  const { EventLog } = await import('../../report/event-log.js');
  const log = new EventLog(file, (error) => {
    throw error;
  });
  log.write(stampEvent({ type: 'end', report }, report.run));
  log.close();
}

/** A report's file may fail after all else is done: the report tells of it, the stop conditions don't. */
export function endOf(report: Report, run?: PreparedRun): RunEnd {
  return { report, stop: run?.stops.reason ?? report.stop ?? undefined };
}
