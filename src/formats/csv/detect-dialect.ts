import type { Dialect } from '../../model/chunk.js';
import { nextLineStart } from '../boundaries/lines.js';
import { csvRules, RecordScanner } from '../boundaries/record-scanner.js';
import type { SuggestedDelimiter } from '../format.js';
import type { SourceOptions } from '../options.js';
import type { TableRow } from '../table/compare-rows.js';
import { cellType } from '../table/compare-rows.js';
import { type CsvLayout, firstRow } from './parse-csv.js';

export interface TableSample {
  readonly bytes: Buffer;
  /** Whether it is the whole source. */
  readonly whole: boolean;
  /** Whether the file's name suggests tabs. */
  readonly tabs?: boolean;
}

/** A record as a row. Offsets are relative to the sample. */
export interface CsvRow extends TableRow {
  readonly isBroken: boolean;
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

/** Records to try a dialect on. */
const MAX_TRIED = 200;
/** Likeliest first. */
const DELIMITERS = [',', ';', '\t', '|', '~', '^', '\u0001', '\u001f', ', ', '; ', ' '];
const QUOTES = ['"', "'"];
/** Weight of a single column; of n, n / (n + 1). */
const ONE_COLUMN_WEIGHT = 0.3;
/** Bonus for quoted fields, to decide between otherwise equal dialects. */
const QUOTE_WEIGHT = 0.05;
/** Share of rows that may have the mark of a delimiter, as the comma of `, `, without its blank. */
const MAX_UNDIVIDED = 0.1;

/**
 * Selects the dialect with the most regular rows and the most typed cells, as CleverCSV does (van
 * den Burg, Nazábal, Sutton 2019). Stated options are fixed.
 */
export function detectDialect(sample: TableSample, options: SourceOptions): Dialect {
  let best: Dialect | undefined;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const dialect of candidates(sample, options)) {
    const score = dialectScore(sample, dialect, options);
    if (score <= bestScore + 1e-9) continue;
    best = dialect;
    bestScore = score;
  }
  return best ?? { delimiter: ',', quote: null, escape: null, comment: null };
}

function candidates({ bytes, tabs }: TableSample, options: SourceOptions): Dialect[] {
  const { comment = null, quote: statedQuote } = options;
  const usual = tabs ? ['\t', ...DELIMITERS] : DELIMITERS;
  // One that is absent, for a single column.
  const absent = usual.find((delimiter) => !bytes.includes(delimiter));
  // Blanks are everywhere, but only those between names delimit.
  const header = bytes.subarray(0, Math.max(0, nextLineStart(bytes, 0)));
  const tried = usual.filter(
    (one) => one === absent || (one.includes(' ') ? header : bytes).includes(one),
  );
  const delimiters = options.delimiter === undefined ? tried : [options.delimiter];
  const quotesIn = (delimiter: string): (string | null)[] => {
    const isFree = (mark: string): boolean =>
      !delimiter.includes(mark) && !comment?.includes(mark) && opensField(bytes, delimiter, mark);
    return statedQuote === undefined ? QUOTES.filter(isFree) : [statedQuote];
  };
  const escapesOf = (quote: string | null): (string | null)[] => {
    if (quote === null || options.escape !== undefined) return [quote && (options.escape ?? null)];
    return bytes.includes(`\\${quote}`) ? [quote, '\\'] : [quote];
  };
  return delimiters.flatMap((delimiter) =>
    orNone(quotesIn(delimiter)).flatMap((quote) =>
      escapesOf(quote).map((mark) => ({ delimiter, quote, escape: mark, comment })),
    ),
  );
}

/** Most exports contain apostrophes, but they hardly ever open a field. */
function opensField(bytes: Buffer, delimiter: string, mark: string): boolean {
  if (mark !== "'" || bytes[0] === 0x27) return true;
  return [delimiter, '\n', '\r'].some((before) => bytes.includes(`${before}'`));
}

function orNone(quotes: readonly (string | null)[]): readonly (string | null)[] {
  return quotes.length === 0 ? [null] : quotes;
}

/**
 * Share of records with the usual number of fields, more for more columns, times the share of typed
 * cells.
 */
function dialectScore(sample: TableSample, dialect: Dialect, options: SourceOptions): number {
  const { bytes } = sample;
  const quote = dialect.quote?.charCodeAt(0);
  const opening = `${dialect.delimiter}${dialect.quote}`;
  const rows = [...csvRows(sample, dialect, MAX_TRIED)];
  const sound = rows.filter(({ isBroken }) => !isBroken);
  const quoted = sound.filter(
    ({ start, end }) => bytes[start] === quote || bytes.subarray(start, end).includes(opening),
  );
  // If ' quotes no field, choosing it would only hide broken " quotes.
  const isIdle = dialect.quote === "'" && options.quote === undefined && quoted.length === 0;
  if (rows.length === 0 || isIdle) return -1;
  const undivided = sound.filter((row) => !quoted.includes(row) && hasBareMark(row, dialect));
  if (undivided.length > MAX_UNDIVIDED * sound.length) return -1;
  const typed = typedShare(sound);
  const bonus = (QUOTE_WEIGHT * quoted.length) / rows.length;
  return (regularity(sound, dialect, options, typed) / rows.length) * (1 + typed) + bonus;
}

/**
 * Returns whether a cell holds the mark of a delimiter with a blank, as in `id, text` above
 * `1,good, nice`.
 */
function hasBareMark({ cells }: CsvRow, { delimiter: [mark = '', blank] }: Dialect): boolean {
  return blank !== undefined && cells.some((cell) => cell.includes(mark));
}

/** Number of rows of the best width, weighted by it; for blanks, by typed cells too. */
function regularity(
  rows: readonly CsvRow[],
  { delimiter }: Dialect,
  { header }: SourceOptions,
  typed: number,
): number {
  const widths = new Map<number, number>();
  for (const { cells } of rows) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1);
  const weights = [...widths].map(([width, count]) => {
    const isStated = !Array.isArray(header) || header.length === width;
    // Texts below a single name may contain delimiters.
    const isDivided = Array.isArray(header) || width === 1 || rows[0]?.cells.length !== 1;
    return (isStated ? 1 : 0.5) * (isDivided ? 1 : 0.4) * count * widthWeight(width, delimiter);
  });
  return Math.max(0, ...weights) * (delimiter === ' ' ? typed : 1);
}

function typedShare(rows: readonly CsvRow[]): number {
  const cells = rows.flatMap(({ cells: all }) => all.map((cell) => cell.trim()).filter(Boolean));
  return cells.filter((cell) => cellType(cell) !== undefined).length / Math.max(1, cells.length);
}

/** Weighs a number of columns; two that a blank divides weigh nothing, as two words aren't columns. */
function widthWeight(width: number, delimiter: string): number {
  if (width === 1) return ONE_COLUMN_WEIGHT;
  if (width === 2 && delimiter === ' ') return 0;
  return 1 - 1 / (width + 1);
}

/**
 * Reads the rows of a sample. A line with mismatched quotes is divided at each delimiter, as it may
 * be the header.
 */
export function* csvRows(
  { bytes, whole }: TableSample,
  dialect: Dialect,
  max: number,
): Generator<CsvRow, void, undefined> {
  const scanner = new RecordScanner(csvRules(dialect));
  scanner.load(bytes, whole);
  let line = 1;
  let afterBlank = false;
  for (let start = 0, rows = 0; start < bytes.length && rows < max; start = scanner.next) {
    const found = scanner.scan(start);
    if (found === 'need-more-data' || found === 'too-long') return;
    const { end, next } = scanner;
    if (found === 'blank') afterBlank ||= end === start;
    else {
      const isBroken = found !== 'record';
      const record = bytes.subarray(start, end);
      const cells = isBroken ? looseFields(record, dialect) : firstRow(record, dialect);
      rows += 1;
      yield { cells, number: line, afterBlank, isBroken, start, end, next };
      afterBlank = false;
    }
    line += scanner.lines;
  }
}

/** Divides a line at each delimiter, and removes quotes around fields. */
function looseFields(line: Buffer, dialect: Dialect): readonly string[] {
  const fields = firstRow(line, { ...dialect, quote: null, escape: null });
  const { quote } = dialect;
  return fields.map((field) => {
    const isQuoted = quote !== null && field.length > 1 && field.startsWith(quote);
    return isQuoted && field.endsWith(quote) ? field.slice(1, -1) : field;
  });
}

/** For a header with a single column, the delimiter that would yield the most columns. */
export function betterDelimiter({ columns, dialect }: CsvLayout): SuggestedDelimiter | undefined {
  return columns.length === 1 ? delimiterFor(columns[0] ?? '', dialect) : undefined;
}

/**
 * The delimiter that divides a header into several columns: the stated number, or the most.
 * `undefined` if none does.
 */
export function delimiterFor(
  header: string,
  dialect: Dialect,
  wanted?: number,
): SuggestedDelimiter | undefined {
  let best: SuggestedDelimiter | undefined;
  for (const delimiter of DELIMITERS) {
    const isPlausible = delimiter !== ' ' || (wanted ?? 0) > 2;
    if (delimiter === dialect.delimiter || !isPlausible) continue;
    const sample = { bytes: Buffer.from(header), whole: true };
    const [row] = csvRows(sample, { ...dialect, delimiter }, 1);
    if (row === undefined || row.isBroken) continue;
    const columns = row.cells.map((column) => column.trim());
    const isBetter = columns.length > Math.max(1, best?.columns.length ?? 0);
    if (isBetter && (wanted === undefined || columns.length === wanted)) {
      best = { delimiter, columns };
    }
  }
  return best;
}
