/** Options for reading: table, defaults and checks. Loads no format. */
import { encodingName } from '../input/encoding/decode.js';
import type { Layout } from '../model/chunk.js';
import { OptionError } from '../model/errors.js';
import { checkNames, checkOption, grouped, type OptionTable, option } from '../model/options.js';
import { parseRecordsPath } from './json/records-path.js';
import { parseElementPath } from './xml/element-path.js';

/** Names of file formats, in the order of help and messages. */
export const FORMAT_NAMES = ['csv', 'jsonl', 'json', 'xml', 'xlsx', 'parquet'] as const;

/** Excludes `objects`, which aren't files. */
export type FileFormat = (typeof FORMAT_NAMES)[number];

/** Options for reading an input; `input` in a mapping. Those left out are detected. */
export interface InputOptions {
  readonly format?: FileFormat;
  /** Field separator, of one or more characters. */
  readonly delimiter?: string;
  /** One ASCII character; `null` for no quoting. */
  readonly quote?: string | null;
  /**
   * One ASCII character; by default the quote itself. `null`: quoted fields can't contain quotes.
   */
  readonly escape?: string | null;
  /** Prefix of lines to ignore; none by default. */
  readonly comment?: string | null;
  /** For example `utf-8`, `windows-1252`, `utf-16le`. */
  readonly encoding?: string;
  /**
   * `true` (default): the first record names the columns. `false`: columns are called `1`, `2`, … A
   * list: names for a file without a header.
   */
  readonly header?: boolean | readonly string[];
  /**
   * `pad`: CSV rows may lack their last fields, which are then empty, or have empty ones after the
   * last column. By default such records are invalid.
   */
  readonly ragged?: 'pad';
  /**
   * Values that count as empty, for example `N/A`. `null` is YAML's reading of an unquoted NULL.
   */
  readonly nulls?: readonly (string | number | null)[];
  /** Number of lines before the header; default 0. */
  readonly skipLines?: number;
  /**
   * Path of the list in a JSON document: `result.reviews`, `pages[0].items`. `[]` stands for each
   * element of a list, or each value of an object: `products[].reviews[]`. In JSON Lines it begins
   * at the line. In XML the path of the elements, with `[]` after the one to be their parent:
   * `feed/reviews/review`, `Feed/Product[]/Reviews/Review`.
   */
  readonly records?: string;
  /**
   * Sheets of a workbook: one by name or by number from 1, a list of several, or `all` visible
   * ones; by default the first visible one.
   */
  readonly sheet?: string | number | readonly (string | number)[];
  /**
   * File with request headers for `https:` inputs, a `Name: value` on each line. They are sent only
   * to the address's own origin.
   */
  readonly inputHeaderFile?: string;
  /**
   * Longer records are invalid; default 1 MiB, at least 64. With `[]` in `records` it is the limit
   * of an element with all its records, and 16 MiB by default.
   */
  readonly maxRecordBytes?: number;
}

/** Limits for reading. */
export interface LimitOptions extends Pick<InputOptions, 'maxRecordBytes'> {
  /** Approximate bytes per chunk; default 256 KiB, at least 64. */
  readonly chunkBytes?: number;
  /**
   * Longest time that records of a stream or iterable wait for others before they are sent, in
   * milliseconds; default 1,000.
   */
  readonly flushMs?: number;
}

export type Limits = Required<LimitOptions>;

const KIB = 1024;
const MIB = 1024 * KIB;

export const LIMIT_OPTIONS = {
  chunkBytes: { type: 'integer', min: 64, max: 256 * MIB, default: 256 * KIB },
  maxRecordBytes: option.integer('max-record-bytes', 'Bytes in the largest record', {
    min: 64,
    max: 256 * MIB,
    default: MIB,
  }),
  flushMs: { type: 'integer', min: 0, max: 86_400_000, default: 1_000 },
} as const satisfies OptionTable<keyof LimitOptions>;

/** Options for reading an input, and its limits. */
export interface SourceOptions extends InputOptions, LimitOptions {
  /** Name of a stream or iterable in reports and `runs list`; default `stream` or `records`. */
  readonly name?: string;
}

/** Table of the reading options. A mapping has most of them under `input`. */
export const SOURCE_OPTIONS = grouped('Reading (detected unless given):', {
  format: option.text('format', 'Format', { choices: FORMAT_NAMES }),
  delimiter: option.text('delimiter', 'Delimiter of CSV fields; "tab" for a tab', {
    parse: (text: string): string => (TAB_SPELLINGS.has(text) ? '\t' : text),
  }),
  quote: option.text('quote', 'CSV quote; "" for none', { parse: nullIfEmpty }),
  escape: option.text('escape', 'CSV escape', {
    parse: nullIfEmpty,
    defaultText: 'the quote, doubled',
  }),
  comment: option.text('comment', 'Ignore CSV lines that start with this'),
  encoding: option.text('encoding', 'Encoding, e.g. windows-1252'),
  header: option.boolean('header', 'CSV starts with column names (--no-header: with records)'),
  ragged: option.text('ragged', 'pad: CSV rows may lack their last fields', { choices: ['pad'] }),
  nulls: option.text('nulls', 'Value that counts as empty, e.g. N/A', {
    repeatable: true,
  }),
  skipLines: option.integer('skip-lines', 'Lines before the CSV starts', {
    min: 0,
    max: 1_000_000,
  }),
  records: option.text(
    'records',
    'Path of the list in JSON, e.g. products[].reviews[], or of the elements in XML, e.g. feed/reviews/review',
  ),
  sheet: option.text('sheet', 'Sheet of a workbook: its name or number, or all', {
    repeatable: true,
    defaultText: 'the first',
  }),
  inputHeaderFile: option.text(
    'input-header-file',
    'File with headers for https: inputs, a "Name: value" on each line',
    { file: 'read' },
  ),
  ...LIMIT_OPTIONS,
  name: { type: 'text' },
} as const satisfies OptionTable<keyof SourceOptions>);

/** Spellings of a tab on a command line. */
const TAB_SPELLINGS = new Set(['tab', 'TAB', '\\t']);

/** `--quote ""` disables quoting. */
function nullIfEmpty(mark: string): string | null {
  return mark === '' ? null : mark;
}

const MAX_ELEMENT_BYTES = 16 * MIB;

export function limitsOf({
  records = '',
  chunkBytes = LIMIT_OPTIONS.chunkBytes.default,
  maxRecordBytes = records.includes('[]')
    ? MAX_ELEMENT_BYTES
    : LIMIT_OPTIONS.maxRecordBytes.default,
  flushMs = LIMIT_OPTIONS.flushMs.default,
}: LimitOptions & Pick<InputOptions, 'records'>): Limits {
  return { chunkBytes, maxRecordBytes, flushMs };
}

/** Options fully checked by their table entry. */
const CHECKED_BY_TABLE = [
  ...(['format', 'encoding', 'ragged', 'skipLines', 'records', 'inputHeaderFile', 'name'] as const),
  ...(['chunkBytes', 'maxRecordBytes', 'flushMs'] as const),
];

/** Pairs that can't be distinguished if one contains the other. */
const DISTINCT_PAIRS = [
  ['delimiter', 'quote'],
  ['delimiter', 'escape'],
  ['comment', 'quote'],
  ['comment', 'delimiter'],
] as const;

/**
 * Checks the options, each one and in combination.
 * @throws OptionError
 */
export function checkOptions(options: SourceOptions): void {
  checkNames(options, SOURCE_OPTIONS, 'source');
  for (const name of CHECKED_BY_TABLE) {
    if (options[name] !== undefined) checkOption(name, options[name], SOURCE_OPTIONS[name]);
  }
  const { format, records, encoding, nulls, header, sheet } = options;
  if (encoding !== undefined) encodingName(encoding);
  if (records !== undefined) checkRecords(records, format);
  for (const name of ['delimiter', 'quote', 'escape', 'comment'] as const) {
    checkMark(name, options[name]);
  }
  for (const [one, other] of DISTINCT_PAIRS) checkDistinct(one, other, options);
  assertValid(nulls, isNulls, 'The nulls are', 'a list of texts');
  assertValid(header, isHeader, 'The header is', 'true, false, or a list of column names');
  assertValid(
    sheet,
    isSheets,
    'The sheet is',
    'its name, its number from 1, a list of these, or all',
  );
}

function checkRecords(records: string, format: string | undefined): void {
  const isElement = records.includes('/') && parseElementPath(records) !== undefined;
  if (!isElement && format !== 'xml') parseRecordsPath(records);
  if (format === undefined || ['json', 'jsonl', 'xml'].includes(format)) return;
  throw OptionError.of(
    'records',
    `is a path in JSON or XML, but the format is ${format}: leave one of them out.`,
  );
}

function checkMark(name: string, value: string | null | undefined): void {
  if (value === undefined || value === null) return;
  if (typeof value !== 'string') {
    throw new OptionError(`The ${name} is ${String(value)} (${typeof value}); expected a string.`);
  }
  if (value === '') {
    throw new OptionError(`The ${name} is empty: leave it out to have it detected.`);
  }
  if (/[\r\n]/.test(value)) {
    throw new OptionError(`The ${name} holds a line end, which always ends a record.`);
  }
  if ((name === 'quote' || name === 'escape') && !/^[!-~\t ]$/.test(value)) {
    throw new OptionError(`The ${name} is ${JSON.stringify(value)}; expected one ASCII character.`);
  }
}

function checkDistinct(
  name: 'delimiter' | 'comment',
  otherName: 'delimiter' | 'quote' | 'escape',
  options: SourceOptions,
): void {
  const value = options[name];
  const other = options[otherName];
  if (value == null || other == null) return;
  if (!value.includes(other) && !other.includes(value)) return;
  throw new OptionError(
    `The ${name} (${JSON.stringify(value)}) and the ${otherName} (${JSON.stringify(other)}) can't be distinguished: change one of them.`,
  );
}

/** Checks an optional value that has more forms than the table can express. */
function assertValid(
  value: unknown,
  isValid: (value: unknown) => boolean,
  what: string,
  expected: string,
): void {
  if (value === undefined || isValid(value)) return;
  throw new OptionError(`${what} ${JSON.stringify(value)}; expected ${expected}.`);
}

function isNulls(nulls: unknown): boolean {
  const isText = (one: unknown): boolean => one === null || /^(string|number)$/.test(typeof one);
  return Array.isArray(nulls) && nulls.every(isText);
}

function isHeader(header: unknown): boolean {
  if (typeof header === 'boolean') return true;
  return (
    Array.isArray(header) && header.length > 0 && header.every((name) => typeof name === 'string')
  );
}

function isSheets(sheet: unknown): boolean {
  const sheets: readonly unknown[] = Array.isArray(sheet) ? sheet : [sheet];
  return (
    sheets.length > 0 &&
    sheets.every((one) =>
      typeof one === 'number'
        ? Number.isInteger(one) && one >= 1
        : typeof one === 'string' && one !== '',
    )
  );
}

/** Format option to read another source alike; empty for a program's objects. */
export function statedFormat({ format }: Pick<Layout, 'format'>): Pick<InputOptions, 'format'> {
  const stated = FORMAT_NAMES.find((name) => name === format);
  return stated === undefined ? {} : { format: stated };
}
