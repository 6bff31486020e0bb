import type { Dialect } from '../../model/chunk.js';
import { csvRules, fieldStarts, RecordScanner } from '../boundaries/record-scanner.js';
import type { SuggestedDelimiter } from '../format.js';
import type { SourceOptions } from '../options.js';
import type { CsvLayout } from './parse-csv.js';
import { firstRow } from './parse-csv.js';

export interface TableSample {
  readonly bytes: Buffer;
  /** Whether it is the whole source. */
  readonly whole: boolean;
  /** Whether the file's name suggests tabs. */
  readonly tabs?: boolean;
}

interface Reading {
  /** Number of fields per record; 0 for a broken one. */
  readonly fields: readonly number[];
  /** Share of records with a quoted field. */
  readonly quoted: number;
}

/** Records to read if there are several candidates, or just one. */
const MAX_RECORDS = 1000;
const FEW_RECORDS = 100;
const DELIMITERS = [',', ';', '\t', '|'];
const QUOTES = ['"', "'"];
/** Weight of a single column; two weigh 2/3, and more columns more. */
const ONE_COLUMN_WEIGHT = 0.3;
/** Score of a record that agrees with most others but not with the header. */
const WITHOUT_HEADER_SCORE = 0.5;
/** Bonus for well-formed quotes, to decide between otherwise equal dialects. */
const QUOTE_WEIGHT = 0.05;
/** Best score of a delimiter that isn't in the sample. */
const MAX_ABSENT_SCORE = ONE_COLUMN_WEIGHT + QUOTE_WEIGHT;

/**
 * Selects the dialect in which most records have as many fields as the header, preferring more
 * fields. Stated options are fixed.
 */
export function detectDialect(sample: TableSample, options: SourceOptions): Dialect {
  let best: Dialect | undefined;
  let bestScore = Number.NEGATIVE_INFINITY;
  const all = candidates(sample, options);
  const present = all.filter(({ delimiter }) => sample.bytes.includes(delimiter));
  const maxRecords = present.length === 1 ? FEW_RECORDS : MAX_RECORDS;
  for (const dialect of all) {
    if (bestScore >= MAX_ABSENT_SCORE && !sample.bytes.includes(dialect.delimiter)) continue;
    const reading = readAs(sample, dialect, maxRecords);
    // If ' quotes no field, choosing it would only hide broken " quotes.
    if (dialect.quote === "'" && options.quote === undefined && reading.quoted === 0) continue;
    const score = scoreOf(reading, options.header);
    if (score > bestScore + 1e-9) {
      best = dialect;
      bestScore = score;
    }
  }
  return best ?? { delimiter: ',', quote: null, escape: null, comment: null };
}

function candidates(sample: TableSample, options: SourceOptions): Dialect[] {
  const { comment = null } = options;
  const usual = sample.tabs ? ['\t', ...DELIMITERS] : DELIMITERS;
  const delimiters = options.delimiter === undefined ? usual : [options.delimiter];
  return delimiters.flatMap((delimiter) =>
    quotesFor(sample, delimiter, options).flatMap((quote) =>
      escapesFor(sample, quote, options).map((mark) => ({
        delimiter,
        quote,
        escape: mark,
        comment,
      })),
    ),
  );
}

function quotesFor(
  sample: TableSample,
  delimiter: string,
  { quote, comment }: SourceOptions,
): (string | null)[] {
  if (quote !== undefined) return [quote];
  const free = QUOTES.filter((mark) => !delimiter.includes(mark) && !comment?.includes(mark));
  if (free.length === 0) return [null];
  // Most exports contain apostrophes, but they hardly ever open a field.
  const openings = [`${delimiter}'`, "\n'", "\r'"];
  const opensField =
    sample.bytes[0] === 0x27 || openings.some((opening) => sample.bytes.includes(opening));
  return opensField ? free : free.filter((mark) => mark !== "'");
}

function escapesFor(
  { bytes }: TableSample,
  quote: string | null,
  options: SourceOptions,
): (string | null)[] {
  if (quote === null) return [null];
  if (options.escape !== undefined) return [options.escape];
  return bytes.includes(`\\${quote}`) ? [quote, '\\'] : [quote];
}

function readAs(sample: TableSample, dialect: Dialect, maxRecords: number = MAX_RECORDS): Reading {
  const rules = csvRules(dialect);
  const scanner = new RecordScanner(rules);
  const { bytes } = sample;
  scanner.load(bytes, sample.whole);
  const opening = `${dialect.delimiter}${dialect.quote}`;
  const fields: number[] = [];
  let quoted = 0;
  for (let at = 0; at < bytes.length && fields.length < maxRecords; at = scanner.next) {
    const found = scanner.scan(at);
    if (found === 'more' || found === 'over') break;
    if (found === 'nothing') continue;
    if (found !== 'record') {
      fields.push(0);
      continue;
    }
    const record = bytes.subarray(at, scanner.end);
    fields.push(fieldStarts(record, rules).length);
    const isQuoted = record[0] === rules.quote || record.includes(opening);
    if (dialect.quote !== null && isQuoted) quoted += 1;
  }
  return { fields, quoted: quoted / Math.max(1, fields.length) };
}

/**
 * Scores the share of records with the expected number of fields, weighted by that number: two
 * columns need nearly half of the records to beat one column of text.
 */
function scoreOf({ fields, quoted }: Reading, header: SourceOptions['header']): number {
  const expected = expectedFields(fields, header);
  if (expected === 0) return -1;
  const usual = mostFrequent(fields);
  // Tolerates a trailing delimiter in each record that the header lacks.
  const agreeing = fields.reduce((sum, count) => {
    if (count === expected) return sum + 1;
    return count === usual && Math.min(count, expected) > 1 ? sum + WITHOUT_HEADER_SCORE : sum;
  }, 0);
  const weight = expected === 1 ? ONE_COLUMN_WEIGHT : 1 - 1 / (expected + 1);
  return (agreeing / fields.length) * weight + QUOTE_WEIGHT * quoted;
}

function expectedFields(fields: readonly number[], header: SourceOptions['header']): number {
  if (Array.isArray(header)) return fields.length === 0 ? 0 : header.length;
  return (header === false ? mostFrequent(fields) : fields[0]) ?? 0;
}

/** Returns the most frequent number; in a tie, the first. */
function mostFrequent(numbers: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

/** Most frequent number of fields in a sample. */
export function usualFields(sample: TableSample, dialect: Dialect): number {
  return mostFrequent(readAs(sample, dialect).fields.filter((count) => count > 0)) ?? 1;
}

/**
 * For a header with a single column, the delimiter that would yield the most columns; `undefined`
 * if none yields several.
 */
export function betterDelimiter({ columns, dialect }: CsvLayout): SuggestedDelimiter | undefined {
  return columns.length === 1 ? delimiterFor(columns[0] ?? '', dialect) : undefined;
}

export function delimiterFor(header: string, dialect: Dialect): SuggestedDelimiter | undefined {
  let best: SuggestedDelimiter | undefined;
  for (const delimiter of DELIMITERS) {
    if (delimiter === dialect.delimiter) continue;
    const columns = split(Buffer.from(header), { ...dialect, delimiter });
    if (columns.length > Math.max(1, best?.columns.length ?? 0)) best = { delimiter, columns };
  }
  return best;
}

function split(header: Buffer, dialect: Dialect): readonly string[] {
  const scanner = new RecordScanner(csvRules(dialect));
  scanner.load(header, true);
  if (header.length === 0 || scanner.scan(0) !== 'record') return [];
  return firstRow(header, dialect).map((column) => column.trim());
}
