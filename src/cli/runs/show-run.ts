import type { ImportRun } from '../../operations/pipeline/import-run.js';
import type { Report } from '../../report/report.js';
import { reportText } from '../../report/report-text.js';
import type { ShowArguments } from '../options/run.js';
import { isStdout, jsonText, say } from '../print.js';
import { showProgress } from './progress-display.js';

/**
 * Shows a run while it is running and its report at the end; gives the report.
 * @throws OptionError if two are to be on stdout
 */
export async function showRun(run: ImportRun, args: ShowArguments): Promise<Report> {
  const asJson = args.json || (args.reportFile !== undefined && isStdout(args.reportFile));
  if (args.eventsFile === undefined || !isStdout(args.eventsFile)) {
    const report = await followRun(run, args);
    // As JSON it may be shown on a terminal, too.
    process.stdout.write(asJson ? `${jsonText(report)}\n` : reportText(report));
    // Nobody may look into JSON for the file that is missing.
    if (asJson && report.stop?.kind === 'output') say(report.stop.message);
    return report;
  }
  const { printEvents } = await import('./print-events.js');
  const [report] = await Promise.all([followRun(run, args), printEvents(run)]);
  if (!args.quiet) process.stderr.write(reportText(report));
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
