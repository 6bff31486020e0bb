import { PLAIN, type Terminal } from '../../model/terminal.js';

/** Width of terminals that don't report theirs. */
const DEFAULT_WIDTH = 80;

type Stream = Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>;

/**
 * Describes the terminal behind a stream. What isn't shown on a terminal isn't wrapped, so that it can
 * be searched, and has colour only if the environment demands it, as CI servers do.
 */
export function terminalOf(stream: Stream, environment: NodeJS.ProcessEnv = process.env): Terminal {
  const { COLUMNS = '', NO_COLOR = '', FORCE_COLOR, TERM } = environment;
  const isForced = FORCE_COLOR !== undefined && !['0', 'false'].includes(FORCE_COLOR);
  const byDefault = FORCE_COLOR === undefined && stream.isTTY === true && TERM !== 'dumb';
  const color = NO_COLOR === '' && (isForced || byDefault);
  if (!stream.isTTY) return { ...PLAIN, color };
  const columns = /^[1-9]\d*$/.test(COLUMNS) ? Number(COLUMNS) : stream.columns;
  return { width: columns || DEFAULT_WIDTH, color };
}

/** Escape sequence that returns to the start of the line and clears it. */
const CLEAR_LINE = '\r\x1b[K';

let isShown = false;

export function canRedraw(): boolean {
  return process.stderr.isTTY === true && process.env['TERM'] !== 'dumb';
}

/** Draws the line of stderr that shows progress, in place of the one before. */
export function drawStatusLine(line: string): void {
  process.stderr.write(CLEAR_LINE + line);
  isShown = true;
}

/** Makes room for a message, or for the prompt of the shell. */
export function clearStatusLine(): void {
  if (isShown) process.stderr.write(CLEAR_LINE);
  isShown = false;
}
