import type { ImportRun } from '../../operations/pipeline/import-run.js';
import type { ExitCode, Report } from '../../report/report.js';
import { reportText } from '../../report/report-text.js';
import type { FileOptions } from '../job/tell-job.js';
import type { JobArguments, RunArguments } from '../options/run.js';
import { isStdout, jsonText, say } from '../print.js';
import { showProgress } from './progress-display.js';

/** How a run is shown. */
type ShowArguments = Pick<RunArguments, 'report' | 'events' | 'json' | 'quiet'>;

/**
 * Shows a run while it is running and its report at the end; gives the report.
 * @throws OptionError if two are to be on stdout
 */
export async function showRun(run: ImportRun, args: ShowArguments): Promise<Report> {
  const asJson = args.json || (args.report !== undefined && isStdout(args.report));
  if (args.events === undefined || !isStdout(args.events)) {
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

/**
 * Plans what the job that a run is part of is told of it, before the run begins.
 * @returns what tells it once the run has ended, and gives the exit status
 * @throws OptionError if a file can't be written
 */
export async function planForJob(
  args: JobArguments,
  options: FileOptions,
): Promise<(report: Report) => ExitCode> {
  const { metrics, summary, annotations } = args;
  const isAsked = metrics !== undefined || summary !== undefined || annotations;
  if (!isAsked) return ({ exitCode }) => exitCode;
  const { planTellingJob } = await import('../job/tell-job.js');
  return await planTellingJob(args, options);
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
