import path from 'node:path';
import { OptionError } from '../model/errors.js';
import { commandLines, paint, sign, type Terminal, wrap } from '../model/terminal.js';
import { printable, shellWord } from '../model/text.js';
import { clearStatusLine } from './output/status-line.js';
import { terminalOf } from './output/terminal-of.js';

/**
 * Prints lines on stdout. Control characters are escaped in a form that JSON and quoted YAML read
 * as the same character.
 */
export function print(text: string): void {
  process.stdout.write(`${text.split('\n').map(printable).join('\n')}\n`);
}

const STDOUT_NAMES = new Set(['-', '/dev/stdout', '/dev/fd/1', '/proc/self/fd/1']);

/**
 * Returns whether a file name means stdout. It is never opened by name: a socket can't be, and two
 * handles that write to one file would overwrite each other.
 */
export function isStdout(file: string): boolean {
  return STDOUT_NAMES.has(file);
}

/**
 * Checks the file for an HTML page.
 * @throws OptionError for stdout, which has the report as text or JSON
 */
export function pageFile(html: string): string {
  if (!isStdout(html)) return html;
  throw new OptionError(`--html can't write to stdout, where the report goes: name a file.`);
}

/** Indent of continued lines of messages. */
const HANGING = 2;

/** Prints a message for people on stderr, because stdout is for data only. */
export function log(message: string): void {
  clearStatusLine();
  process.stderr.write(`${linesOf(message, terminalOf(process.stderr)).join('\n')}\n`);
}

/** Formats lines of messages; one that ends in a command so that it can be pasted. */
function linesOf(message: string, terminal: Terminal): readonly string[] {
  const program = ` ${programName()} `;
  return withProgramName(message)
    .split('\n')
    .map((line) => {
      const at = line.indexOf(`:${program}`) + 1;
      const isCommand = at > 0 && !line.startsWith('Usage:');
      return isCommand
        ? commandLines(printable(line.slice(0, at)), line.slice(at + 1), terminal)
        : wrap(printable(line), terminal, HANGING);
    });
}

/** Commands that messages of the library name. */
const NAMED =
  /(?<=^|[\s`(])(?<!npx )docferry(?=\s+(?:guess|import|jobs|mapping|preview|report|runs|sandbox|validate|worker)\b)/gm;

/** Names commands as this program was started: the library knows only `docferry`. */
export function withProgramName(text: string): string {
  return text.replaceAll(NAMED, programName());
}

/** Prints a command to type next on stderr: on lines of its own if it doesn't fit after the reason. */
export function logCommand(why: string, command: string): void {
  clearStatusLine();
  process.stderr.write(`${commandLines(why, command, terminalOf(process.stderr))}\n`);
}

/** Prints an error on stderr; lines may be foreign text. */
export function logError(message: string): void {
  clearStatusLine();
  const terminal = terminalOf(process.stderr);
  const [first = '', ...more] = linesOf(`docferry: ${message}`, terminal);
  const name = paint('docferry:', 'bad', terminal);
  process.stderr.write(`${[first.replace('docferry:', name), ...more].join('\n')}\n`);
}

/**
 * Prints text for people on stdout, wrapped.
 * @param passed adds the sign of success or failure
 */
export function printText(text: string, passed?: boolean): void {
  const terminal = terminalOf(process.stdout);
  const lines = withProgramName(text).split('\n').map(printable).join('\n');
  const mark = passed === undefined ? '' : `${sign(passed ? 'good' : 'bad', terminal)} `;
  process.stdout.write(`${wrap(mark + lines, terminal, HANGING)}\n`);
}

/**
 * Formats a value as JSON. Control characters are escaped as JSON allows, so the value is
 * unchanged.
 */
export function jsonText(value: unknown, indent = ''): string {
  return JSON.stringify(value, null, 2)
    .split('\n')
    .map((line) => indent + printable(line))
    .join('\n');
}

/**
 * Returns the command that starts docferry in the same way: `docferry`, `npx docferry`, or Node
 * with the path of the program, as in a clone.
 * @param script path of the program, as passed to Node
 */
export function programName(
  script: string = process.argv[1] ?? 'docferry',
  { PATH = '', npm_command: npm }: NodeJS.ProcessEnv = process.env,
  cwd: string = process.cwd(),
): string {
  const installed = script.split(path.sep).includes('node_modules');
  // npm adds its folders to the PATH of the programs that it runs, but not to that of the calling shell.
  const onPath = PATH.split(path.delimiter).includes(path.dirname(script));
  if (onPath && !(installed && npm !== undefined)) return 'docferry';
  if (installed) return 'npx docferry';
  const fromHere = path.relative(cwd, script);
  return `node ${shellWord(fromHere.startsWith('..') ? script : fromHere)}`;
}
