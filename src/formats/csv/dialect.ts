import type { Options } from 'csv-parse/sync';
import type { Dialect, Layout } from '../../model/chunk.js';
import { OptionError } from '../../model/errors.js';
import type { SourceOptions } from '../options.js';

/** The layout of a CSV source. */
export interface CsvLayout extends Layout {
  readonly columns: readonly string[];
  readonly dialect: Dialect;
  readonly header: 'none' | 'plain' | 'rejects';
  readonly ragged?: 'pad';
  /**
   * Where the columns of rejects are not the last ones: which field of a row belongs to each
   * column, then to each of those.
   */
  readonly order?: readonly number[];
}

/**
 * How csv-parse is told to read a dialect. The scanner (`boundaries/`) follows the same rules, and
 * lets nothing through to csv-parse of which the quotes make no sense.
 */
export function csvParseOptions(dialect: Dialect): Options & { columns: false } {
  return {
    columns: false,
    bom: false,
    delimiter: Buffer.from(dialect.delimiter),
    quote: bufferOf(dialect.quote),
    escape: bufferOf(dialect.escape),
    comment: dialect.comment,
    comment_no_infix: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  };
}

function bufferOf(character: string | null): Buffer | null {
  return character === null ? null : Buffer.from(character);
}

/**
 * Makes sure that what is stated about a CSV source can be, taken together.
 * @throws OptionError
 */
export function checkCsvOptions(options: SourceOptions): void {
  const { delimiter, quote, escape: mark, comment } = options;
  const given = { delimiter, quote, escape: mark, comment };
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && value !== null) checkText(name, value);
  }
  checkCharacter('quote', quote);
  checkCharacter('escape', mark);
  apart('delimiter', delimiter, 'quote', quote);
  apart('delimiter', delimiter, 'escape', mark);
  apart('comment', comment, 'quote', quote);
  apart('comment', comment, 'delimiter', delimiter);
  checkHeader(options.header);
  checkSkipLines(options.skipLines);
  const { ragged } = options;
  if (ragged === undefined || ragged === 'pad') return;
  throw new OptionError(`ragged is ${JSON.stringify(ragged)}; expected "pad", or nothing.`);
}

function checkText(name: string, value: unknown): void {
  if (typeof value !== 'string') {
    throw new OptionError(`The ${name} is ${String(value)} (${typeof value}); expected a string.`);
  }
  if (value === '')
    throw new OptionError(`The ${name} is empty: leave it out to have it detected.`);
  if (/[\r\n]/.test(value)) {
    throw new OptionError(`The ${name} holds a line end, which always ends a record.`);
  }
}

function checkCharacter(name: string, value: string | null | undefined): void {
  if (value === undefined || value === null || /^[!-~\t ]$/.test(value)) return;
  throw new OptionError(`The ${name} is ${JSON.stringify(value)}; expected one ASCII character.`);
}

/** Two signs of which one is part of the other can't be told apart. */
function apart(
  name: string,
  value: string | null | undefined,
  otherName: string,
  other: string | null | undefined,
): void {
  if (value == null || other == null) return;
  if (!value.includes(other) && !other.includes(value)) return;
  throw new OptionError(
    `The ${name} (${JSON.stringify(value)}) and the ${otherName} (${JSON.stringify(other)}) can't be told apart: change one of them.`,
  );
}

function checkHeader(header: unknown): void {
  if (header === undefined || typeof header === 'boolean') return;
  const isList = Array.isArray(header) && header.length > 0;
  if (isList && header.every((name) => typeof name === 'string')) return;
  throw new OptionError('The header is neither true, false nor a list of column names.');
}

function checkSkipLines(lines: unknown): void {
  if (lines === undefined || (typeof lines === 'number' && Number.isInteger(lines) && lines >= 0)) {
    return;
  }
  throw new OptionError(`skipLines is ${String(lines)}; expected a whole number from 0.`);
}
