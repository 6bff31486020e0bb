import type { ValidateOptions } from '../../operations/options.js';
import type { ImportRun } from '../../operations/pipeline/import-run.js';
import { shellWord } from '../../report/printable.js';
import type { Report } from '../../report/report.js';
import { reportText } from '../../report/report-text.js';
import type { StateArguments } from '../options/connection.js';
import type { ShowArguments } from '../options/run.js';
import { isStdout, jsonText, say } from '../print.js';
import { programName } from '../program-name.js';
import { showProgress } from './progress-display.js';
import { stateFlag } from './resume-hint.js';

/**
 * Shows a run while it is running and its report at the end; gives the report.
 * @param kept where the run is kept, if it is
 * @throws OptionError if two are to be on stdout
 */
export async function showRun(
  run: ImportRun,
  args: ShowArguments,
  kept?: StateArguments,
): Promise<Report> {
  const asJson = args.json || (args.reportFile !== undefined && isStdout(args.reportFile));
  if (args.eventsFile === undefined || !isStdout(args.eventsFile)) {
    const report = await followRun(run, args);
    // As JSON it may be shown on a terminal, too.
    process.stdout.write(asJson ? `${jsonText(report)}\n` : reportText(report), (error) => {
      if (error && kept !== undefined) {
        say(
          `The run ${report.run} ended with exit code ${report.exitCode}, and its report is kept: \`${showCommand(report, kept)}\` shows it.`,
        );
      }
    });
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

/**
 * Says on stderr which files of a run could not be written, and what writes those of its report.
 * @param kept where the run is kept, if it is
 */
export function sayUnwritten(
  report: Report,
  files: Pick<ValidateOptions, 'htmlFile' | 'reportFile'>,
  kept?: StateArguments,
): void {
  const { stop, notices } = report;
  const reasons = new Set(stop?.kind === 'output' ? [stop.message] : []);
  const flags: string[] = [];
  for (const [flag, given] of [
    ['--html', files.htmlFile],
    ['--report', files.reportFile],
  ] as const) {
    const file = given?.replaceAll('{run}', report.run);
    const reason = notices.find((notice) => notice.startsWith(`${file} can't be written: `));
    if (file === undefined || reason === undefined) continue;
    reasons.add(reason);
    flags.push(flag, shellWord(file));
  }
  for (const reason of reasons) say(reason);
  if (flags.length === 0) return;
  const writes = `this writes ${flags.length > 2 ? 'them' : 'it'}`;
  if (kept !== undefined) {
    say(`Once there is room, ${writes}: \`${showCommand(report, kept)} ${flags.join(' ')}\``);
  } else if (files.reportFile !== undefined && !flags.includes('--report')) {
    const command = `${programName()} report ${shellWord(files.reportFile)} ${flags.join(' ')}`;
    say(`Once there is room, ${writes}: \`${command}\``);
  } else say('Once there is room, validate again.');
}

function showCommand({ run }: Report, kept: StateArguments): string {
  return [programName(), 'runs', 'show', run, ...stateFlag(kept)].join(' ');
}
