import { write } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Progress } from '../../index.js';
import type { ValidateOptions } from '../../operations/options.js';
import type { ImportRun } from '../../operations/pipeline/import-run.js';
import { OutputError } from '../../outputs/output-file.js';
import { printable, shellWord } from '../../report/printable.js';
import { progressLine } from '../../report/progress.js';
import type { Report, RunEvent } from '../../report/report.js';
import { reportText } from '../../report/report-text.js';
import type { StateArguments } from '../options/connection.js';
import type { ShowArguments } from '../options/run.js';
import { isStdout, jsonText, programName, say } from '../print.js';
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

/** A terminal is redrawn this often, in milliseconds. */
const REDRAW_MS = 200;
/** Some terminals do not tell how wide they are. */
const USUAL_WIDTH = 80;
/** Elsewhere (a log file, a scheduler), one line in so many will do: one in five seconds. */
const LINE_TICKS = 25;

/** Back to the start of the line, and nothing behind it. */
const CLEAR_LINE = '\r\x1b[K';

/** What is shown: a run, perhaps before its inputs are open. */
interface Shown {
  progress(): Progress | undefined;
  notices(): readonly string[] | undefined;
}

/**
 * Shows progress, one line that is redrawn on a terminal and a line every few seconds elsewhere,
 * and the run's notices as they come. A run that is over sooner has them in its report only.
 * @returns what removes the line
 */
export function showProgress(run: Shown, stream: NodeJS.WriteStream): { stop(): void } {
  let noticed = 0;
  let ticks = 0;
  const timer = setInterval(() => {
    const progress = run.progress();
    if (progress === undefined) return;
    const notices = run.notices() ?? [];
    if (notices.length > noticed) {
      const lines = notices.slice(noticed).map((line) => `${printable(line)}\n`);
      stream.write(`${stream.isTTY ? CLEAR_LINE : ''}${lines.join('')}`);
      noticed = notices.length;
    }
    ticks += 1;
    if (stream.isTTY) {
      stream.write(`${CLEAR_LINE}${progressLine(progress, stream.columns || USUAL_WIDTH)}`);
    } else if (ticks % LINE_TICKS === 0) stream.write(`${progressLine(progress)}\n`);
  }, REDRAW_MS);
  return {
    stop: () => {
      clearInterval(timer);
      if (stream.isTTY) stream.write(CLEAR_LINE);
    },
  };
}

const STDOUT = 1;
/** How long to wait for a reader that has no room, in milliseconds. */
const FULL_MS = 10;

const writeSome = promisify(write);

/**
 * Prints events on stdout, one a line as JSON, and waits for a slow reader without standing still:
 * answers of the service are taken meanwhile. A reader that has left wants no more.
 */
async function printEvents(events: AsyncIterable<RunEvent>): Promise<void> {
  let isRead = true;
  for await (const event of events) {
    if (isRead) isRead = await printWhole(Buffer.from(`${JSON.stringify(event)}\n`));
  }
}

/** @returns whether somebody still reads */
async function printWhole(bytes: Buffer): Promise<boolean> {
  let printed = 0;
  while (printed < bytes.length) {
    try {
      const { bytesWritten } = await writeSome(STDOUT, bytes, printed);
      printed += bytesWritten;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE') return false;
      if (code !== 'EAGAIN') throw new OutputError('stdout', error);
      await wait(FULL_MS);
    }
  }
  return true;
}

const REPORT_FLAGS = { htmlFile: '--html', reportFile: '--report' } as const;

/**
 * Says on stderr which files of a run could not be written, and what writes those of its report.
 * @param kept where the run is kept, if it is
 */
export function sayUnwritten(
  report: Report,
  files: Pick<ValidateOptions, 'reportFile'>,
  kept?: StateArguments,
): void {
  const { stop, unwritten } = report;
  const reasons = unwritten.map(({ message }) => message);
  for (const reason of new Set(stop?.kind === 'output' ? [stop.message, ...reasons] : reasons)) {
    say(reason);
  }
  const flags = unwritten.flatMap(({ option, path }) => [REPORT_FLAGS[option], shellWord(path)]);
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
