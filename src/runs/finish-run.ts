import { JournalError } from '../model/errors.js';
import type { PreparedRun } from '../operations/pipeline/prepare-run.js';
import { writeReportFile } from '../operations/pipeline/report-file.js';
import { stoppedReport, writeReport } from '../operations/pipeline/write-report.js';
import type { Report } from '../report/report.js';
import { closeMended } from './close-mended.js';
import type { KeptRun } from './kept-run.js';

/** Writes the report, and has it kept with the run. What can't be written is said in the report. */
export function finishRun(run: PreparedRun, kept: KeptRun | undefined): Report {
  if (kept !== undefined) closeMended(run, kept);
  const report = keepReport(writeReport(run, kept), run, kept);
  const written = writeReportFile(report, run);
  return written === report ? report : keepReport(written, run, kept);
}

function keepReport(report: Report, run: PreparedRun, kept: KeptRun | undefined): Report {
  if (kept === undefined) return report;
  try {
    kept.journal.journal.report = report;
    return report;
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    const stop = { kind: 'output', message: error.message, cause: error } as const;
    run.stops.stop(stop);
    return stoppedReport(report, stop);
  }
}
