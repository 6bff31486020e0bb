import { printable } from '../report/printable.js';

/**
 * Prints lines on stdout. What would act on a terminal is written as an escape, which JSON and
 * quoted YAML read as the same character.
 */
export function print(text: string): void {
  process.stdout.write(`${text.split('\n').map(printable).join('\n')}\n`);
}
