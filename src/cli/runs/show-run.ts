import { write } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { fileWord } from '../../model/text.js';
import type { ImportRun } from '../../operations/pipeline/import-run.js';
import { OutputError } from '../../outputs/output-file.js';
import { programName, withProgramName } from '../../report/program-name.js';
import type { Report, RunEvent } from '../../report/report.js';
import { reportText } from '../../report/report-text.js';
import type { StateArguments } from '../options/connection.js';
import type { ShowArguments } from '../options/run.js';
import { progressLine } from '../output/progress-line.js';
import { canRedraw, clearStatusLine, drawStatusLine, terminalOf } from '../output/terminal-of.js';
import { isStdout, jsonText, log, logCommand } from '../print.js';
import { stateFlag } from './next-step.js';

/** Prints a notice, unless it was printed before or is unwanted. */
type Notice = (notice: string) => void;

/** Returns a function that prints each notice once; none with `--quiet`. */
export function noticeLog({ quiet }: Pick<ShowArguments, 'quiet'>): Notice {
  const printed = new Set<string>();
  return (notice) => {
    if (quiet || printed.has(notice)) return;
    printed.add(notice);
    log(notice);
  };
}

/**
 * Shows the progress of a run, then prints its report, with what could not be written, and
 * returns it.
 * @param state place where the run is stored, if it is
 * @throws OptionError if two outputs are stdout
 */
export async function showRun(
  run: ImportRun,
  args: ShowArguments,
  notice: Notice,
  state?: StateArguments,
): Promise<Report> {
  const asEvents = args.eventsFile !== undefined && isStdout(args.eventsFile);
  const [report] = await Promise.all([followRun(run, args, notice), asEvents && printEvents(run)]);
  if (!asEvents) printReport(report, args, state);
  else if (!args.quiet)
    process.stderr.write(withProgramName(reportText(report, terminalOf(process.stderr))));
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
  const text = asJson ? `${jsonText(report)}\n` : reportText(report, terminalOf(process.stdout));
  process.stdout.write(asJson ? text : withProgramName(text), (error) => {
    if (error && state !== undefined) {
      log(
        `The run ${report.run} ended with exit code ${report.exitCode}, and its report is stored: \`${showCommand(report, state)}\` shows it.`,
      );
    }
  });
}

async function followRun(
  run: ImportRun,
  { quiet }: ShowArguments,
  notice: Notice,
): Promise<Report> {
  if (quiet) return await run;
  const display = showProgress(run, notice);
  try {
    return await run;
  } finally {
    display.stop();
  }
}

const REDRAW_MS = 200;
/** Interval of progress lines elsewhere (a log file, a scheduler), in redraws: five seconds. */
const LINE_TICKS = 25;
/** Columns left free, so that the `^C` of the terminal doesn't begin another line. */
const FREE_COLUMNS = 3;

/**
 * Shows progress (one line, redrawn on a terminal; otherwise a line every few seconds) and notices
 * every five seconds. A run that ends before has its notices in the report only, except urgent ones.
 * @returns function that removes the line
 */
function showProgress(run: ImportRun, notice: Notice): { stop(): void } {
  let ticks = 0;
  const timer = setInterval(() => {
    const progress = run.progress();
    if (progress === undefined) return;
    ticks += 1;
    const isLine = ticks % LINE_TICKS === 0;
    if (isLine) (run.notices() ?? []).forEach(notice);
    if (canRedraw()) {
      const { width, color } = terminalOf(process.stderr);
      drawStatusLine(progressLine(progress, { width: width - FREE_COLUMNS, color }));
    } else if (isLine) log(progressLine(progress));
  }, REDRAW_MS);
  return {
    stop: () => {
      clearInterval(timer);
      clearStatusLine();
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
    log(reason);
  }
  const flags = unwritten.flatMap(({ option, path }) => [REPORT_FLAGS[option], fileWord(path)]);
  if (flags.length === 0) return;
  const why = `To write ${flags.length > 2 ? 'them' : 'it'} once there is room:`;
  if (state !== undefined) {
    logCommand(why, `${showCommand(report, state)} ${flags.join(' ')}`);
  } else if (!isStdout(reportFile) && !flags.includes('--report')) {
    logCommand(why, `${programName()} report ${fileWord(reportFile)} ${flags.join(' ')}`);
  } else log('Once there is room, validate again.');
}

function showCommand({ run }: Report, state: StateArguments): string {
  return [programName(), 'runs', 'show', run, ...stateFlag(state)].join(' ');
}
