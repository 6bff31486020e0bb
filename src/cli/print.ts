import path from 'node:path';
import { OptionError } from '../model/errors.js';
import { printable, shellWord } from '../report/printable.js';

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

/**
 * What to type to call docferry as it was called: `docferry`, `npx docferry`, or Node with the
 * path of the program, as in a clone.
 * @param script the path of the program, as Node was given it
 */
export function programName(
  script: string = process.argv[1] ?? 'docferry',
  { PATH = '', npm_command: npm }: NodeJS.ProcessEnv = process.env,
  cwd: string = process.cwd(),
): string {
  const installed = script.split(path.sep).includes('node_modules');
  // npm puts its folders on the path of what it runs; the shell that called npm doesn't have them.
  const onPath = PATH.split(path.delimiter).includes(path.dirname(script));
  if (onPath && !(installed && npm !== undefined)) return 'docferry';
  if (installed) return 'npx docferry';
  const fromHere = path.relative(cwd, script);
  return `node ${shellWord(fromHere.startsWith('..') ? script : fromHere)}`;
}
