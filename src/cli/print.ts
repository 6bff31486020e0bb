import { OptionError } from '../model/errors.js';
import { commandLines, paint, sign, type Terminal, wrap } from '../model/terminal.js';
import { hideAddresses, printable } from '../model/text.js';
import { withProgramName } from '../report/program-name.js';
import { clearStatusLine, terminalOf } from './output/terminal-of.js';

/**
 * Prints lines on stdout. Control characters are escaped in a form that JSON and quoted YAML read
 * as the same character.
 */
export function print(text: string): void {
  process.stdout.write(`${text.split('\n').map(printable).join('\n')}\n`);
}

/**
 * Writes lines to stdout and waits until they are flushed.
 * @returns `false` if the reader has closed it, as after `| head`
 * @throws any other error of the stream
 */
export function printFlushed(lines: readonly string[]): Promise<boolean> {
  const { stdout } = process;
  if (lines.length === 0) return Promise.resolve(true);
  if (!stdout.writable) return Promise.resolve(false);
  return new Promise((resolve, reject) => {
    stdout.write(lines.map((line) => `${printable(line)}\n`).join(''), (error) => {
      const { code = '' } = (error ?? {}) as NodeJS.ErrnoException;
      if (error && !CLOSED.has(code)) reject(error);
      else resolve(!error);
    });
  });
}

const CLOSED = new Set(['EPIPE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

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
  process.stderr.write(`${messageLines(message, terminalOf(process.stderr)).join('\n')}\n`);
}

/** A line that ends with a command: `To make one: \`docferry guess FILE\`` */
const ENDS_WITH_COMMAND = /^(?<why>.*:) `(?<command>[^`]+)`$/;

/** Formats lines of messages; one that ends with a command so that it can be pasted. */
function messageLines(message: string, terminal: Terminal): readonly string[] {
  return messageText(message)
    .split('\n')
    .map((line) => {
      const { why = '', command } = ENDS_WITH_COMMAND.exec(line)?.groups ?? {};
      return command === undefined
        ? wrap(printable(line), terminal, HANGING)
        : commandLines(printable(why), command, terminal);
    });
}

/** Hides secrets and line ends of the command line's words in a message that quotes them. */
export function withoutSecrets(text: string): string {
  const words = process.argv.filter((word) => /[\r\n]/.test(word));
  const onLines = words.reduce((all, word) => all.replaceAll(word, printable(word)), text);
  return hideAddresses(onLines, process.argv);
}

function messageText(text: string): string {
  return withoutSecrets(withProgramName(text));
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
  const [first = '', ...more] = messageLines(`docferry: ${message}`, terminal);
  const name = paint('docferry:', 'bad', terminal);
  process.stderr.write(`${[first.replace('docferry:', name), ...more].join('\n')}\n`);
}

/**
 * Prints text for people on stdout, wrapped.
 * @param tone adds its sign: success, a warning, or failure
 */
export function printText(text: string, tone?: Parameters<typeof sign>[0]): void {
  const terminal = terminalOf(process.stdout);
  const lines = messageText(text).split('\n').map(printable).join('\n');
  const mark = tone === undefined ? '' : `${sign(tone, terminal)} `;
  process.stdout.write(`${wrap(mark + lines, terminal, HANGING)}\n`);
}

/**
 * Formats a value as JSON. Control characters are escaped as JSON allows, so the value is
 * unchanged.
 */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2).split('\n').map(printable).join('\n');
}
