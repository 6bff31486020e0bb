import { progressLine } from '../report/progress.js';
import type { Progress } from '../run/run-events.js';

/** A terminal is redrawn this often, in milliseconds. */
const REDRAW_MS = 200;
/** Elsewhere (a log file, a scheduler), a line this often will do. */
const LINE_MS = 5_000;

/** A progress display that is going on. */
export interface ProgressDisplay {
  /** Removes the bar. */
  stop(): void;
}

/** Shows progress: one line that is redrawn on a terminal, a line every few seconds elsewhere. */
export function showProgress(
  progress: () => Progress | undefined,
  stream: NodeJS.WriteStream,
): ProgressDisplay {
  const timer = stream.isTTY
    ? setInterval(() => draw(progress(), stream), REDRAW_MS)
    : setInterval(() => writeLine(progress(), stream), LINE_MS);
  return {
    stop: () => {
      clearInterval(timer);
      if (stream.isTTY) stream.write('\r\x1b[K');
    },
  };
}

function draw(progress: Progress | undefined, stream: NodeJS.WriteStream): void {
  if (progress === undefined) return;
  stream.write(`\r\x1b[K${progressLine(progress, stream.columns)}`);
}

function writeLine(progress: Progress | undefined, stream: NodeJS.WriteStream): void {
  if (progress !== undefined) stream.write(`${progressLine(progress)}\n`);
}
