/** The line of stderr that shows progress, redrawn in place on a terminal. */

/** Escape sequence that returns to the start of the line and clears it. */
const CLEAR_LINE = '\r\x1b[K';

let isShown = false;

export function canRedraw(): boolean {
  return process.stderr.isTTY === true && process.env['TERM'] !== 'dumb';
}

export function drawStatusLine(line: string): void {
  process.stderr.write(CLEAR_LINE + line);
  isShown = true;
}

/** Makes room for a message, or for the prompt of the shell. */
export function clearStatusLine(): void {
  if (isShown) process.stderr.write(CLEAR_LINE);
  isShown = false;
}
