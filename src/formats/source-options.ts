/** The options of reading, as data: no format is loaded for them. */
import { LIMIT_OPTIONS, type LimitOptions } from '../input/limits.js';
import { grouped, type OptionTable, option } from '../model/options.js';

/** The formats of files by name, in the order of help and messages. */
export const FORMAT_NAMES = ['csv', 'jsonl', 'json', 'xlsx', 'parquet', 'ods'] as const;

/** A format that a file can have. A program's objects are none. */
export type FileFormat = (typeof FORMAT_NAMES)[number];

/** How to read an input. What is left out is detected. A mapping says it under `input`. */
export interface InputOptions {
  readonly format?: FileFormat;
  /** What stands between two fields; one character, or several. */
  readonly delimiter?: string;
  /** One ASCII character; `null`: quotes mean nothing. */
  readonly quote?: string | null;
  /** One ASCII character; the quote itself by default. `null`: quoted fields hold no quotes. */
  readonly escape?: string | null;
  /** Lines that start with this are no records; none by default. */
  readonly comment?: string | null;
  /** A name such as `utf-8`, `windows-1252`, `utf-16le`. */
  readonly encoding?: string;
  /**
   * `true` (the default): the first record names the columns. `false`: there are no names, and the
   * columns are called `1`, `2`, … A list: these are the names, and the file holds none.
   */
  readonly header?: boolean | readonly string[];
  /**
   * `pad`: rows of a CSV may lack their last fields, which are then empty, or have empty ones behind
   * the last column. By default such records are invalid.
   */
  readonly ragged?: 'pad';
  /** Texts that stand for nothing, such as `N/A`; `null` is what YAML makes of an unquoted NULL. */
  readonly nulls?: readonly (string | number | null)[];
  /** Lines before the header that are no part of the table; default 0. */
  readonly skipLines?: number;
  /** Path of the list inside a JSON document: `result.reviews`, `pages[0].items`. */
  readonly records?: string;
  /**
   * The sheets of a workbook: one by name or by number from 1, several as a list, or `all` that are
   * not hidden; default: the first that is not hidden.
   */
  readonly sheet?: string | number | readonly (string | number)[];
  /**
   * File with headers for requests of `https:` inputs, a `Name: value` on each line. They are sent to
   * the address's own origin only.
   */
  readonly inputHeaderFile?: string;
}

/** How to read an input, and in what portions. */
export interface SourceOptions extends InputOptions, LimitOptions {
  /** What reports and `runs list` call a stream or iterable; default `stream`, or `records`. */
  readonly name?: string;
}

/** Options of reading. A mapping gives most of them under `input`. */
export const SOURCE_OPTIONS = grouped('Reading (detected unless given):', {
  format: option.text('format', 'Format', { choices: FORMAT_NAMES }),
  delimiter: option.text('delimiter', 'What separates CSV fields; "tab" for a tab', {
    parse: (text: string): string => (TAB.has(text) ? '\t' : text),
  }),
  quote: option.text('quote', 'CSV quote; "" for none', { parse: nullIfEmpty }),
  escape: option.text('escape', 'CSV escape', {
    parse: nullIfEmpty,
    defaultText: 'the quote, doubled',
  }),
  comment: option.text('comment', 'Ignore CSV lines that start with this'),
  encoding: option.text('encoding', 'Encoding, e.g. windows-1252'),
  header: option.boolean('header', 'Whether CSV starts with column names (--no-header)'),
  ragged: option.text('ragged', 'CSV rows may lack their last fields: pad', { choices: ['pad'] }),
  nulls: option.text('nulls', 'Value that counts as empty, e.g. N/A', {
    repeatable: true,
  }),
  skipLines: option.integer('skip-lines', 'Lines before the CSV starts', { min: 0 }),
  records: option.text('records', 'Path of the list in a JSON document, e.g. result.reviews'),
  sheet: option.text('sheet', 'Sheet of a workbook, by name or number, or all', {
    repeatable: true,
    defaultText: 'the first',
  }),
  inputHeaderFile: option.text(
    'input-header-file',
    'File with headers for https: inputs, a "Name: value" on each line',
    { offers: 'files' },
  ),
  ...LIMIT_OPTIONS,
  name: { type: 'text' },
} as const satisfies OptionTable<keyof SourceOptions>);

/** How shells let people write a tab. */
const TAB = new Set(['tab', 'TAB', '\\t']);

/** `--quote ""` means that CSV has no quotes. */
function nullIfEmpty(mark: string): string | null {
  return mark === '' ? null : mark;
}
