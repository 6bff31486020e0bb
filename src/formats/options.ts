import { encodingName } from '../input/encoding/encoding-name.js';
import { LIMIT_OPTIONS, type LimitOptions, limitsOf } from '../input/limits.js';
import type { Layout } from '../model/chunk.js';
import { OptionError } from '../model/errors.js';
import { checkNames } from '../model/names.js';
import { grouped, type OptionTable, option } from '../model/options.js';
import { FORMAT_NAMES, FORMATS, oneOf } from './formats.js';
import type * as registry from './registry.js';

/** How to read an input. What is left out is detected. A mapping says it under `input`. */
export interface InputOptions {
  /** A program's objects are no format of a file. */
  readonly format?: Exclude<keyof typeof registry, 'objects'>;
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
  nulls: option.text('nulls', 'Value that counts as empty, e.g. N/A (repeatable)', {
    repeatable: true,
  }),
  skipLines: option.integer('skip-lines', 'Lines before the CSV starts', { min: 0 }),
  records: option.text('records', 'Path of the list in a JSON document, e.g. result.reviews'),
  sheet: option.text('sheet', 'Sheet of a workbook, by name or number, or all (repeatable)', {
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

/**
 * Makes sure that what is stated about a source can be.
 * @throws OptionError
 */
export function checkOptions(options: SourceOptions): void {
  checkNames(options, SOURCE_OPTIONS, 'source');
  limitsOf(options);
  const { encoding, format, name, sheet } = options;
  if (name !== undefined && (typeof name !== 'string' || name === '')) {
    throw new OptionError(`The source's name is ${JSON.stringify(name)}; expected a text.`);
  }
  if (encoding !== undefined) encodingName(encoding);
  checkSheet(sheet);
  checkPath('inputHeaderFile', options.inputHeaderFile);
  checkNulls(options.nulls);
  if (format !== undefined && !FORMAT_NAMES.includes(format)) {
    throw new OptionError(`The format is ${String(format)}; expected ${oneOf(FORMAT_NAMES)}.`);
  }
  for (const each of FORMATS) each.checkOptions?.(options);
}

/** What to state for another source to be read in a format; nothing for a program's objects. */
export function statedFormat({ format }: Pick<Layout, 'format'>): Pick<InputOptions, 'format'> {
  return isStated(format) ? { format } : {};
}

function isStated(format: string): format is NonNullable<InputOptions['format']> {
  return FORMAT_NAMES.includes(format);
}

function checkPath(name: string, path: unknown): void {
  if (path === undefined || (typeof path === 'string' && path !== '')) return;
  throw new OptionError(`${name} is ${JSON.stringify(path)}; expected the path of a file.`);
}

function checkNulls(nulls: unknown): void {
  const isText = (one: unknown): boolean => one === null || /^(string|number)$/.test(typeof one);
  if (nulls === undefined || (Array.isArray(nulls) && nulls.every(isText))) return;
  throw new OptionError(`The nulls are ${JSON.stringify(nulls)}; expected a list of texts.`);
}

function checkSheet(sheet: unknown): void {
  if (sheet === undefined || (Array.isArray(sheet) ? isSheetList(sheet) : isSheet(sheet))) return;
  throw new OptionError(
    `The sheet is ${JSON.stringify(sheet)}; expected its name, its number from 1, a list of these, or all.`,
  );
}

function isSheetList(sheets: readonly unknown[]): boolean {
  return sheets.length > 0 && sheets.every(isSheet);
}

function isSheet(sheet: unknown): boolean {
  if (typeof sheet === 'string') return sheet !== '';
  return typeof sheet === 'number' && Number.isInteger(sheet) && sheet >= 1;
}
