import { write } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Progress } from '../../index.js';
import { printable, shellWord } from '../../model/text.js';
import type { ImportRun } from '../../operations/pipeline/import-run.js';
import { OutputError } from '../../outputs/output-file.js';
import { progressLine } from '../../report/progress.js';
import type { Report, RunEvent } from '../../report/report.js';
import { reportText } from '../../report/report-text.js';
import type { StateArguments } from '../options/connection.js';
import type { ShowArguments } from '../options/run.js';
import { isStdout, jsonText, programName, say } from '../print.js';
import { stateFlag } from './resume-hint.js';

/**
 * Shows the progress of a run, then prints its report, with what could not be written, and
 * returns it.
 * @param state place where the run is stored, if it is
 * @throws OptionError if two outputs are stdout
 */
export async function showRun(
  run: ImportRun,
  args: ShowArguments,
  state?: StateArguments,
): Promise<Report> {
  const asEvents = args.eventsFile !== undefined && isStdout(args.eventsFile);
  const [report] = await Promise.all([followRun(run, args), asEvents && printEvents(run)]);
  if (!asEvents) printReport(report, args, state);
  else if (!args.quiet) process.stderr.write(reportText(report));
  reportUnwritten(report, args, state);
  return report;
}

function printReport(
  report: Report,
  { json, reportFile, quiet }: ShowArguments,
  state: StateArguments | undefined,
): void {
  const asJson = json || (reportFile !== undefined && isStdout(reportFile));
  if (quiet && !asJson && report.exitCode === 0) return;
  // jsonText escapes control characters, as stdout may be a terminal.
  process.stdout.write(asJson ? `${jsonText(report)}\n` : reportText(report), (error) => {
    if (error && state !== undefined) {
      say(
        `The run ${report.run} ended with exit code ${report.exitCode}, and its report is stored: \`${showCommand(report, state)}\` shows it.`,
      );
    }
  });
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

const REDRAW_MS = 200;
/** Width of terminals that don't report theirs. */
const DEFAULT_WIDTH = 80;
/** Interval of progress lines elsewhere (a log file, a scheduler), in redraws: five seconds. */
const LINE_TICKS = 25;

/** Escape sequence that returns to the start of the line and clears it. */
const CLEAR_LINE = '\r\x1b[K';

/** A run to show, perhaps before its inputs are open. */
interface ObservedRun {
  progress(): Progress | undefined;
  notices(): readonly string[] | undefined;
}

/**
 * Shows progress (one line that is redrawn on a terminal, otherwise a line every few seconds) and
 * notices as they arrive. A run that ends before the first redraw has its notices in the report
 * only.
 * @returns function that removes the line
 */
export function showProgress(run: ObservedRun, stream: NodeJS.WriteStream): { stop(): void } {
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
      stream.write(`${CLEAR_LINE}${progressLine(progress, stream.columns || DEFAULT_WIDTH)}`);
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
/** Interval of retrying to write to a full pipe, in milliseconds. */
const RETRY_WRITE_MS = 10;

const writeSome = promisify(write);

/**
 * Prints events on stdout, one JSON line each. A slow reader doesn't block the event loop, so
 * responses are still handled. After the reader has gone, events are discarded.
 */
async function printEvents(events: AsyncIterable<RunEvent>): Promise<void> {
  let isRead = true;
  for await (const event of events) {
    if (isRead) isRead = await printWhole(Buffer.from(`${JSON.stringify(event)}\n`));
  }
}

/** @returns `false` if the reader has closed the pipe */
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
      await wait(RETRY_WRITE_MS);
    }
  }
  return true;
}

const REPORT_FLAGS = { htmlFile: '--html', reportFile: '--report' } as const;

/** Reports on stderr which files of a run could not be written, and the command that writes them. */
function reportUnwritten(
  report: Report,
  { reportFile = '-' }: ShowArguments,
  state: StateArguments | undefined,
): void {
  const { stop, unwritten } = report;
  const reasons = unwritten.map(({ message }) => message);
  for (const reason of new Set(stop?.kind === 'output' ? [stop.message, ...reasons] : reasons)) {
    say(reason);
  }
  const flags = unwritten.flatMap(({ option, path }) => [REPORT_FLAGS[option], shellWord(path)]);
  if (flags.length === 0) return;
  const writes = `this writes ${flags.length > 2 ? 'them' : 'it'}`;
  if (state !== undefined) {
    say(`Once there is room, ${writes}: \`${showCommand(report, state)} ${flags.join(' ')}\``);
  } else if (!isStdout(reportFile) && !flags.includes('--report')) {
    const command = `${programName()} report ${shellWord(reportFile)} ${flags.join(' ')}`;
    say(`Once there is room, ${writes}: \`${command}\``);
  } else say('Once there is room, validate again.');
}

function showCommand({ run }: Report, state: StateArguments): string {
  return [programName(), 'runs', 'show', run, ...stateFlag(state)].join(' ');
}
