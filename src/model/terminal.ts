/** Text for terminals: colour, and lines that fit the width. */
import { styleText } from 'node:util';
import stringWidth from 'string-width';
import { graphemesOf, printable } from './text.js';

/** Terminal, file or pipe that a text is written to. */
export interface Terminal {
  /** Columns of a line; `Infinity` where lines aren't wrapped. */
  readonly width: number;
  readonly color: boolean;
}

/** A file, a pipe, a log: neither wrapped nor coloured. */
export const PLAIN: Terminal = { width: Number.POSITIVE_INFINITY, color: false };

/** Only colours that can be read on a light and on a dark background. */
const STYLES = {
  good: 'green',
  mixed: 'yellow',
  bad: 'red',
  dim: 'dim',
  bold: 'bold',
} as const;

export type Tone = keyof typeof STYLES;

/** Colours a line. Foreign text in it must have been made `printable`. */
export function paint(text: string, tone: Tone, { color }: Terminal): string {
  // Without `validateStream`, Node would decide by stdout whether there is colour.
  return color && text !== '' ? styleText(STYLES[tone], text, { validateStream: false }) : text;
}

const SIGNS = { good: '✓', mixed: '!', bad: '✗' } as const;

/** `✓`, `!` or `✗` in its colour: how something went. */
export function sign(tone: keyof typeof SIGNS, terminal: Terminal): string {
  return paint(SIGNS[tone], tone, terminal);
}

/** Most UTF-16 code units that are measured at once: the time grows with their square. */
const MEASURED_UNITS = 1000;

/** Columns that a line takes: wide characters take two, escape sequences none. */
export function displayWidth(line: string): number {
  if (/^[ -~]*$/.test(line)) return line.length;
  let width = 0;
  for (let at = 0; at < line.length; at += MEASURED_UNITS) {
    width += stringWidth(line.slice(at, at + MEASURED_UNITS));
  }
  return width;
}

/**
 * Maximum UTF-16 code units of a grapheme; a family emoji takes eleven, few graphemes take more.
 */
const MAX_GRAPHEME_UNITS = 12;

/** Shortens a line to a number of columns, ending in `…`: after a word if it has several. */
export function cut(line: string, columns: number): string {
  // Measuring a long text to its end would be slow, and its end isn't shown.
  const start = line.slice(0, columns * MAX_GRAPHEME_UNITS);
  if (start === line && displayWidth(line) <= columns) return line;
  let result = '';
  let used = 0;
  for (const { segment } of graphemesOf(start)) {
    const width = displayWidth(segment);
    if (used + width > columns - 1) {
      if (!/\s/.test(segment)) result = wholeWords(result);
      break;
    }
    result += segment;
    used += width;
  }
  return `${result.replace(/[\s,:;]+$/, '')}…`;
}

/** Drops a cut last word, unless it is the only one. */
function wholeWords(text: string): string {
  const [words = text] = /^.*\S(?=\s+\S*$)/su.exec(text) ?? [];
  return words;
}

/** Scripts without spaces between words: a line may end after each of their characters. */
const UNSPACED = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}';
const WORDS = new RegExp(`( *)([${UNSPACED}]|[^ ${UNSPACED}]+)`, 'gu');
/** Words of a command, a flag with its value; quoted ones may have spaces. */
const SHELL_WORDS = /( *)((?:--?\w[\w-]* (?![-<>|]))?(?:'[^']*'|[^ '])+)/g;

/**
 * Wraps the lines of a text between words. A word wider than the terminal, as a link or a
 * path, stays whole and can be copied.
 * @param hanging indent of continued lines, in columns
 */
export function wrap(text: string, { width }: Terminal, hanging = 0): string {
  const indent = ' '.repeat(hanging);
  return text
    .split('\n')
    .map((line) => linesOf(line, WORDS, width, indent).join(`\n${indent}`))
    .join('\n');
}

/**
 * Formats a command to type, after the reason for it; on lines of its own if it doesn't fit, which
 * can be pasted into a shell: one that continues ends in `\`.
 */
export function commandLines(why: string, command: string, terminal: Terminal): string {
  const shown = printable(command);
  if (displayWidth(`${why} ${shown}`) <= terminal.width) {
    return `${why} ${paint(shown, 'bold', terminal)}`;
  }
  const whole = wrapCommand(`  ${shown}`, terminal);
  return `${wrap(why, terminal, 2)}\n${paint(whole, 'bold', terminal)}`;
}

/** Wraps a command so that it can be pasted into a shell: a line that continues ends in `\`. */
export function wrapCommand(command: string, { width }: Pick<Terminal, 'width'>): string {
  if (displayWidth(command) <= width) return command;
  const lines = linesOf(command, SHELL_WORDS, width - CONTINUED.length, INDENT);
  return lines.join(`${CONTINUED}\n${INDENT}`);
}

const CONTINUED = ' \\';
/** Indent of the lines of a command after its first. */
const INDENT = ' '.repeat(4);

/** Breaks a line into those that fit; all but the first leave room for the indent. */
function linesOf(line: string, words: RegExp, width: number, indent: string): readonly string[] {
  if (width === Number.POSITIVE_INFINITY || displayWidth(line) <= width) return [line];
  const lines: string[] = [];
  let current = '';
  let used = 0;
  for (const [, space = '', word = ''] of line.matchAll(words)) {
    const more = space.length + displayWidth(word);
    if (used > 0 && used + more > width) {
      lines.push(current);
      current = word;
      used = indent.length + more - space.length;
    } else {
      current += space + word;
      used += more;
    }
  }
  return [...lines, current];
}
