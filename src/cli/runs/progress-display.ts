import type { Progress } from '../../index.js';
import { printable } from '../../report/printable.js';
import { progressLine } from '../../report/progress.js';

/** A terminal is redrawn this often, in milliseconds. */
const REDRAW_MS = 200;
/** Some terminals do not tell how wide they are. */
const USUAL_WIDTH = 80;
/** Elsewhere (a log file, a scheduler), one line in so many will do: one in five seconds. */
const LINE_TICKS = 25;

/** Back to the start of the line, and nothing behind it. */
const CLEAR_LINE = '\r\x1b[K';

/** A progress display that is shown. */
export interface ProgressDisplay {
  /** Removes the bar. */
  stop(): void;
}

/** What is shown: a run, perhaps before its inputs are open. */
export interface Shown {
  progress(): Progress | undefined;
  notices(): readonly string[] | undefined;
}

/**
 * Shows progress, one line that is redrawn on a terminal and a line every few seconds elsewhere,
 * and the run's notices as they come. A run that is over sooner has them in its report only.
 */
export function showProgress(run: Shown, stream: NodeJS.WriteStream): ProgressDisplay {
  const show = stream.isTTY ? draw : writeLine;
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
    if (stream.isTTY || ticks % LINE_TICKS === 0) show(progress, stream);
  }, REDRAW_MS);
  return {
    stop: () => {
      clearInterval(timer);
      if (stream.isTTY) stream.write(CLEAR_LINE);
    },
  };
}

function draw(progress: Progress, stream: NodeJS.WriteStream): void {
  stream.write(`${CLEAR_LINE}${progressLine(progress, stream.columns || USUAL_WIDTH)}`);
}

function writeLine(progress: Progress, stream: NodeJS.WriteStream): void {
  stream.write(`${progressLine(progress)}\n`);
}
