import { readFileSync } from 'node:fs';
import { completeLine } from './complete-line.js';

/**
 * Tells a shell's script what can stand where the cursor is: a line with the kind of that, then each
 * word with a tab and its description. The command line up to the cursor comes from stdin: of an
 * argument, everybody on the machine could read the passwords.
 * @throws OptionError, JournalError if nothing can be told; the scripts show no errors
 */
export async function answerTab(): Promise<number> {
  const line = readFileSync(0, 'utf8').replace(/\n$/, '');
  const { kind, words } = await completeLine(line);
  const lines = [kind, ...words.map(({ word, describe }) => `${word}\t${describe}`)];
  process.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}
