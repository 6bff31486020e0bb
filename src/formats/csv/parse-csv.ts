import { isUtf8 } from 'node:buffer';
import { createRequire } from 'node:module';
import type { Options } from 'csv-parse/sync';
import { asBuffer, type BytesChunk, type Dialect, type Layout } from '../../model/chunk.js';
import { count } from '../../model/figures.js';
import { type ParsedRecord, withRemedy } from '../../model/record.js';
import { escapesFormulas, fieldCount, withoutApostrophe } from '../../model/reject-columns.js';
import { locateLines } from '../boundaries/cut-records.js';
import { csvRules } from '../boundaries/record-scanner.js';
import { withStrayBytes } from '../stray-bytes.js';

const nodeRequire = createRequire(import.meta.url);

/** Parses records lazily: arrays of all rows of a chunk outlive V8's young generation. */
export function* parseCsv(chunk: BytesChunk<CsvLayout>): Generator<ParsedRecord, void, undefined> {
  const { layout } = chunk;
  const buffer = asBuffer(chunk.bytes);
  const unwraps = buffer.includes('="');
  if (isUtf8(buffer)) {
    const next = rowReader(buffer, layout.dialect);
    for (let row = next(); row !== undefined; row = next()) yield fitRow(row, layout, unwraps);
    return;
  }
  const places = locateLines(chunk, csvRules(layout.dialect));
  const next = rowReader(buffer, layout.dialect);
  for (let index = 0, row = next(); row !== undefined; index += 1, row = next()) {
    const { start = 0, end = 0 } = places[index] ?? {};
    const bytes = buffer.subarray(start, end);
    yield withStrayBytes(fitRow(row, layout, unwraps), bytes);
  }
}

/** Fields of the first record; empty if there is none. */
export function firstRow(buffer: Buffer, dialect: Dialect): readonly string[] {
  return rowReader(buffer, dialect)() ?? [];
}

/** Creates a reader that returns one record's fields per call, and `undefined` at the end. */
function rowReader(buffer: Buffer, dialect: Dialect): () => string[] | undefined {
  if (isPlain(dialect)) {
    const csv = new PlainCsv(buffer.toString(), dialect);
    return () => csv.next();
  }
  // Loaded lazily: the reader of plain CSV needs none of it.
  const { parse } = nodeRequire('csv-parse/sync') as typeof import('csv-parse/sync');
  const rows: string[][] = parse(buffer, { ...csvParseOptions(dialect), encoding: 'utf8' });
  let read = 0;
  return () => rows[read++];
}

export interface CsvLayout extends Layout {
  readonly columns: readonly string[];
  readonly dialect: Dialect;
  readonly header: 'none' | 'plain' | 'rejects';
  readonly ragged?: 'pad';
}

/**
 * Options that make csv-parse read a dialect. The scanner (`boundaries/`) follows the same rules,
 * so csv-parse never gets malformed quotes.
 */
export function csvParseOptions(dialect: Dialect): Options & { columns: false } {
  return {
    columns: false,
    bom: false,
    delimiter: Buffer.from(dialect.delimiter),
    quote: toBuffer(dialect.quote),
    escape: toBuffer(dialect.escape),
    comment: dialect.comment,
    comment_no_infix: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  };
}

function toBuffer(character: string | null): Buffer | null {
  return character === null ? null : Buffer.from(character);
}

/**
 * Checks a row's number of fields.
 * @param unwraps whether the chunk may contain fields like `="text"`
 */
function fitRow(fields: string[], layout: CsvLayout, unwraps: boolean): ParsedRecord {
  const columns = fieldCount(layout);
  let row = fields;
  if (fields.length !== columns) {
    // Pad missing fields at the end, or drop surplus blank ones.
    if (layout.ragged !== 'pad' || !isBlank(fields.slice(columns))) {
      return ragged(fields, columns, layout);
    }
    row = Array.from({ length: columns }, (_, column) => fields[column] ?? '');
  }
  if (layout.header === 'rejects' && escapesFormulas(layout.dialect))
    row = row.map(withoutApostrophe);
  return { value: unwraps ? row.map(unwrapped) : row };
}

function isBlank(fields: readonly string[]): boolean {
  return fields.every((field) => field.trim() === '');
}

/** Unwraps `="00123"`, which keeps spreadsheets from turning text into a number. */
export function unwrapped(field: string): string {
  const inside = /^="((?:[^"]|"")*)"$/.exec(field)?.[1];
  return inside === undefined ? field : inside.replaceAll('""', '"');
}

function ragged(fields: readonly string[], columns: number, { dialect }: CsvLayout): ParsedRecord {
  const tooMany = fields.length > columns;
  const delimiter = dialect.delimiter === '\t' ? 'tab' : `"${dialect.delimiter}"`;
  const cause = tooMany
    ? `perhaps a field contains a ${delimiter} and is not quoted`
    : 'perhaps a delimiter or a quote is missing, or the record is cut off';
  const pad = 'set `ragged: pad` under input';
  const cure = tooMany
    ? isBlank(fields.slice(columns))
      ? `fix the record, or ${pad} to ignore empty fields after the last column`
      : 'fix the record'
    : `fix the record, or ${pad} if its last fields are missing because they are empty`;
  const reason = `${count(fields.length, 'field')} where the header has ${count(columns, 'column')}; ${cause}`;
  return { problem: { kind: 'ragged', field: null, ...withRemedy(reason, cure) } };
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * Returns whether {@link PlainCsv} supports the dialect: a delimiter of one character, doubled
 * quotes, and no comments, as nearly all exports have.
 */
export function isPlain(dialect: Dialect): boolean {
  const { delimiter, quote, comment } = dialect;
  return delimiter.length === 1 && quote !== null && dialect.escape === quote && comment === null;
}

/**
 * Parses whole records of a plain dialect, much faster than csv-parse: it looks at each character
 * of an unquoted field once, and jumps from quote to quote in the others. Yields the same records
 * as csv-parse with {@link csvParseOptions}.
 */
export class PlainCsv {
  readonly #text: string;
  readonly #delimiter: number;
  readonly #quote: string;
  readonly #quoteCode: number;
  #at: number;

  constructor(text: string, dialect: Dialect) {
    this.#text = text;
    this.#delimiter = dialect.delimiter.charCodeAt(0);
    this.#quote = dialect.quote as string;
    this.#quoteCode = this.#quote.charCodeAt(0);
    this.#at = afterLineEnds(text, 0);
  }

  /**
   * Returns the fields of the next record; `undefined` at the end.
   * @throws Error for malformed quotes, which the cutter never lets through
   */
  next(): string[] | undefined {
    const text = this.#text;
    if (this.#at >= text.length) return undefined;
    const fields: string[] = [];
    for (;;) {
      fields.push(this.#field());
      if (this.#at >= text.length || text.charCodeAt(this.#at) !== this.#delimiter) break;
      this.#at += 1;
    }
    this.#at = afterLineEnds(text, this.#at);
    return fields;
  }

  #field(): string {
    const text = this.#text;
    const start = this.#at;
    if (start >= text.length || text.charCodeAt(start) !== this.#quoteCode) {
      this.#at = fieldEnd(text, start, this.#delimiter);
      return text.slice(start, this.#at);
    }
    const quote = this.#quote;
    let close = text.indexOf(quote, start + 1);
    while (close >= 0 && text[close + 1] === quote) close = text.indexOf(quote, close + 2);
    this.#at = close + 1;
    if (close < 0 || fieldEnd(text, this.#at, this.#delimiter) !== this.#at) {
      throw new Error(
        'A record with malformed quotes was cut as a well-formed one. This is a bug in docferry.',
      );
    }
    const content = text.slice(start + 1, close);
    return content.includes(quote) ? content.replaceAll(quote + quote, quote) : content;
  }
}

// Reading a character beyond the end makes V8 deoptimise the function.

/** Skips line ends and thereby empty lines, which aren't records. */
function afterLineEnds(text: string, from: number): number {
  let at = from;
  while (at < text.length && isLineEnd(text.charCodeAt(at))) at += 1;
  return at;
}

function fieldEnd(text: string, from: number, delimiter: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === delimiter || isLineEnd(code)) break;
    at += 1;
  }
  return at;
}

function isLineEnd(code: number): boolean {
  return code === LF || code === CR;
}
