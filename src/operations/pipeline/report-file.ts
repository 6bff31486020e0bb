import { OutputError } from '../../outputs/output-file.js';
import type { RunOutputs } from '../../outputs/run-outputs.js';
import type { Report } from '../../report/report.js';
import type { HeldRun } from '../../runs/sqlite/run-folders.js';
import { type OutputSettings, planOutputs } from './plan-outputs.js';
import type { PreparedRun } from './prepare-run.js';
import { stoppedReport } from './write-report.js';

/** One that has nothing left to do has no stop conditions. */
type WritingRun = Pick<PreparedRun, 'outputs' | 'reportFile'> & Partial<Pick<PreparedRun, 'stops'>>;

/**
 * Writes the report to the file that was asked for, if one was. What has happened doesn't get lost
 * with the file: if it can't be written, the report says so.
 */
export function writeReportFile(
  report: Report,
  { outputs, reportFile, stops }: WritingRun,
): Report {
  if (reportFile === undefined) return report;
  try {
    writeJson(report, reportFile, outputs);
    return report;
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    const stop = { kind: 'output', message: error.message, cause: error } as const;
    stops?.stop(stop);
    return stoppedReport({ ...report, notices: [...report.notices, error.message] }, stop);
  }
}

/** Writes the report of a run that had nothing left to do once more, where it is asked for now. */
export async function writeReportAgain(
  report: Report,
  { id, journal }: HeldRun,
  options: OutputSettings,
): Promise<Report> {
  const { rejects: _, ...asked } = options;
  const planned = await planOutputs(asked, { id, sources: [], marks: journal.outputs });
  planned.outputs.rememberWith((marks) => {
    journal.outputs = marks;
  });
  return writeReportFile(report, planned);
}

function writeJson(report: Report, path: string, outputs: RunOutputs): void {
  const file = outputs.create(path);
  try {
    file.write(Buffer.from(`${JSON.stringify(report, null, 2)}\n`));
  } finally {
    file.close();
  }
}
