import { isUtf8 } from 'node:buffer';
import { type Options, parse } from 'csv-parse/sync';
import { asBuffer, type BytesChunk, type Dialect, type Layout } from '../../model/chunk.js';
import type { ParsedRecord } from '../../model/record.js';
import { escapesFormulas, fieldCount, withoutApostrophe } from '../../model/reject-columns.js';
import { locateLines } from '../boundaries/cut-records.js';
import { csvRules } from '../boundaries/record-scanner.js';
import { withStrayBytes } from '../stray-bytes.js';

/** Reads the records of a chunk, one by one: what is read at once outlives V8's young objects. */
export function* parseCsv(chunk: BytesChunk<CsvLayout>): Generator<ParsedRecord, void, undefined> {
  const { layout, position } = chunk;
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
    yield withStrayBytes(fitRow(row, layout, unwraps), bytes, position.byte + start);
  }
}

/** The fields of the first record; none if there is no record. */
export function firstRow(buffer: Buffer, dialect: Dialect): readonly string[] {
  return rowReader(buffer, dialect)() ?? [];
}

/** Gives the fields of one record after the other; `undefined` at the end. */
function rowReader(buffer: Buffer, dialect: Dialect): () => string[] | undefined {
  const csv = isPlain(dialect) ? new PlainCsv(buffer.toString(), dialect) : undefined;
  let read = 0;
  let others: readonly string[][] | undefined;
  return () => {
    if (others === undefined) {
      const row = csv === undefined ? 'unclear' : csv.next();
      if (row !== 'unclear') {
        read += 1;
        return row;
      }
      others = parse(buffer, { ...csvParseOptions(dialect), encoding: 'utf8' });
    }
    read += 1;
    return others?.[read - 1];
  };
}

/** The layout of a CSV source. */
export interface CsvLayout extends Layout {
  readonly columns: readonly string[];
  readonly dialect: Dialect;
  readonly header: 'none' | 'plain' | 'rejects';
  readonly ragged?: 'pad';
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
 * Makes sure that a row has a field for each column.
 * @param unwraps whether some field of the chunk may be `="text"`
 */
function fitRow(fields: string[], layout: CsvLayout, unwraps: boolean): ParsedRecord {
  const columns = fieldCount(layout);
  let row = fields;
  if (fields.length !== columns) {
    // Empty fields for the last columns, or without those behind them, if these are all empty.
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

/** `="00123"` is how a text is kept from becoming a number when a spreadsheet opens the file. */
export function unwrapped(field: string): string {
  const inside = /^="((?:[^"]|"")*)"$/.exec(field)?.[1];
  return inside === undefined ? field : inside.replaceAll('""', '"');
}

function ragged(fields: readonly string[], columns: number, { dialect }: CsvLayout): ParsedRecord {
  const tooMany = fields.length > columns;
  const delimiter = dialect.delimiter === '\t' ? 'tab' : `"${dialect.delimiter}"`;
  const cause = tooMany
    ? `perhaps a field holds a ${delimiter} and is not quoted`
    : 'perhaps a delimiter or a quote is missing, or the record is cut';
  const pad = 'set ragged: pad (--ragged pad)';
  const cure = tooMany
    ? isBlank(fields.slice(columns))
      ? `fix the record, or ${pad} to leave out empty fields behind the last column`
      : 'fix the record'
    : `fix the record, or ${pad} if only its last fields are left out, being empty`;
  const message = `has ${count(fields.length, 'field')} where the header has ${count(columns, 'column')}; ${cause}: ${cure}`;
  return { problem: { kind: 'ragged', field: null, message } };
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * Whether {@link PlainCsv} can read a dialect: one character between fields, quotes doubled
 * inside quotes, no comments. Nearly all exports are like that.
 */
export function isPlain(dialect: Dialect): boolean {
  const { delimiter, quote, comment } = dialect;
  return delimiter.length === 1 && quote !== null && dialect.escape === quote && comment === null;
}

/**
 * Reads whole records of a plain dialect, one by one, in a fraction of csv-parse's time: it looks at
 * each character of an unquoted field once, and jumps from quote to quote in the others. Gives
 * exactly the records of csv-parse with the options of `csv-parse-options.ts`.
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
   * The fields of the next record; `undefined` at the end, and `'unclear'` where a quote is not
   * closed, or something stands behind one that can't: the cutter lets nothing like that through.
   */
  next(): string[] | 'unclear' | undefined {
    const text = this.#text;
    if (this.#at >= text.length) return undefined;
    const fields: string[] = [];
    for (;;) {
      const field = this.#field();
      if (field === undefined) return 'unclear';
      fields.push(field);
      if (this.#at >= text.length || text.charCodeAt(this.#at) !== this.#delimiter) break;
      this.#at += 1;
    }
    this.#at = afterLineEnds(text, this.#at);
    return fields;
  }

  #field(): string | undefined {
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
    if (close < 0 || fieldEnd(text, this.#at, this.#delimiter) !== this.#at) return undefined;
    const content = text.slice(start + 1, close);
    return content.includes(quote) ? content.replaceAll(quote + quote, quote) : content;
  }
}

// V8 throws its quick code away when a character behind the end is asked for.

/** Behind the line ends, and with them behind empty lines, which are no records. */
function afterLineEnds(text: string, from: number): number {
  let at = from;
  while (at < text.length && isLineEnd(text.charCodeAt(at))) at += 1;
  return at;
}

/** Where an unquoted field ends that starts at `from`. */
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
