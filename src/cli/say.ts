import { printable } from '../report/printable.js';

/** Says something to a person; stdout is for data only. */
export function say(message: string): void {
  process.stderr.write(`${printable(message)}\n`);
}
