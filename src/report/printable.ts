import { escapeCharacter, UNPRINTABLE } from '../model/text.js';

/** Makes a line of foreign text safe to print, by escaping {@link UNPRINTABLE} characters. */
export function printable(line: string): string {
  return line.replace(UNPRINTABLE, escapeCharacter);
}

/** Quotes a text as a word for a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
