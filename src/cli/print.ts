import { OptionError } from '../model/errors.js';
import { printable } from '../report/printable.js';

/**
 * Prints lines on stdout. What would act on a terminal is written as an escape, which JSON and
 * quoted YAML read as the same character.
 */
export function print(text: string): void {
  process.stdout.write(`${text.split('\n').map(printable).join('\n')}\n`);
}

const STDOUT_NAMES = new Set(['-', '/dev/stdout', '/dev/fd/1', '/proc/self/fd/1']);

/**
 * Whether a file's name means stdout. That is not opened by its name: a socket can't be, and two
 * who write into one file each from its beginning spoil it.
 */
export function isStdout(file: string): boolean {
  return STDOUT_NAMES.has(file);
}

/**
 * The file that a page is to be written to.
 * @throws OptionError for stdout: it has the report for people or for programs
 */
export function pageFile(html: string): string {
  if (!isStdout(html)) return html;
  throw new OptionError(`--html ${html} is stdout, which has another report: name a file.`);
}

/** Says something to a person, on stderr: stdout is for data only. */
export function say(message: string): void {
  process.stderr.write(`${printable(message)}\n`);
}

/**
 * A value for people and programs. What would act on a terminal is escaped, as JSON allows; the
 * value stays the same.
 */
export function jsonText(value: unknown, indent = ''): string {
  return JSON.stringify(value, null, 2)
    .split('\n')
    .map((line) => indent + printable(line))
    .join('\n');
}
