import type { ImportRun } from '../../operations/pipeline/import-run.js';
import type { Report } from '../../report/report.js';
import { reportText } from '../../report/report-text.js';
import type { RunArguments } from '../options/run.js';
import { isStdout, jsonText, say } from '../print.js';
import { showProgress } from './progress-display.js';

/** How a run is shown. */
type ShowArguments = Pick<RunArguments, 'report' | 'json' | 'quiet'>;

/** Shows a run while it is running and its report at the end; gives the report. */
export async function showRun(run: ImportRun, args: ShowArguments): Promise<Report> {
  const report = await followRun(run, args);
  const asJson = args.json || (args.report !== undefined && isStdout(args.report));
  // As JSON it may be shown on a terminal, too.
  process.stdout.write(asJson ? `${jsonText(report)}\n` : reportText(report));
  // Nobody may look into JSON for the file that is missing.
  if (asJson && report.stop?.kind === 'output') say(report.stop.message);
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
