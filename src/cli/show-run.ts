import { closeSync, writeFileSync } from 'node:fs';
import { openPrivately } from '../report/open-privately.js';
import { OutputError } from '../report/output-file.js';
import type { Report } from '../report/report.js';
import { reportText } from '../report/report-text.js';
import type { ImportRun } from '../run/import-run.js';
import { jsonText } from './output/json.js';
import { showProgress } from './progress-display.js';
import type { RunArguments } from './run-options.js';

/** How a run is shown. */
type ShowArguments = Pick<RunArguments, 'report' | 'json' | 'quiet'>;

/**
 * Shows a run while it goes on and its report at the end; gives the report.
 * @throws OutputError if the report's file can't be written; the report was shown before
 */
export async function showRun(run: ImportRun, args: ShowArguments): Promise<Report> {
  const report = await followRun(run, args);
  const json = `${JSON.stringify(report, null, 2)}\n`;
  // First where it always can be: what has happened must not get lost with the file.
  // As JSON it may be shown on a terminal, too.
  const shown = args.json || args.report === '-' ? `${jsonText(report)}\n` : reportText(report);
  process.stdout.write(shown);
  if (args.report !== undefined && args.report !== '-') writeReportFile(args.report, json);
  return report;
}

async function followRun(run: ImportRun, { quiet }: ShowArguments): Promise<Report> {
  if (quiet) return await run;
  const display = showProgress(run, process.stderr);
  try {
    return await run;
  } finally {
    display.stop();
  }
}

function writeReportFile(file: string, json: string): void {
  try {
    const descriptor = openPrivately(file);
    try {
      writeFileSync(descriptor, json);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw new OutputError(file, error);
  }
}
