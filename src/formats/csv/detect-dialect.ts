import type { Dialect } from '../../model/chunk.js';
import { csvRules, fieldStarts, RecordScanner } from '../boundaries/record-scanner.js';
import type { SuggestedDelimiter } from '../format.js';
import type { SourceOptions } from '../options.js';
import type { CsvLayout } from './parse-csv.js';
import { firstRow } from './parse-csv.js';

/** The table in a sample of a source: decoded, without skipped lines, cut at a line's end. */
export interface TableSample {
  readonly bytes: Buffer;
  /** Whether that is all of the source. */
  readonly whole: boolean;
  /** Whether the name says that it is separated by tabs. */
  readonly tabs?: boolean;
}

/** What reading a sample in some dialect gives. */
interface Reading {
  /** Fields of each record; 0 for one that is broken. */
  readonly fields: readonly number[];
  /** Share of the records with a quoted field. */
  readonly quoted: number;
}

/** Records that are read where there is a choice, and where there is hardly any. */
const MAX_RECORDS = 1000;
const FEW_RECORDS = 100;
const DELIMITERS = [',', ';', '\t', '|'];
const QUOTES = ['"', "'"];
/** What one column weighs, beside two thirds for two columns and more for more. */
const ONE_COLUMN_WEIGHT = 0.3;
/** What a record is worth that agrees with most others, but not with the header. */
const OTHER_THAN_HEADER = 0.5;
/** Quotes that make sense speak for a dialect, if the fields don't decide. */
const QUOTE_WEIGHT = 0.05;
/** The most that a delimiter is worth which is nowhere in the sample. */
const MAX_UNDIVIDED = ONE_COLUMN_WEIGHT + QUOTE_WEIGHT;

/**
 * Finds the dialect in which the records agree best with the header on the number of fields, the
 * more fields the better. What is stated is kept.
 */
export function detectDialect(sample: TableSample, options: SourceOptions): Dialect {
  let best: Dialect | undefined;
  let bestScore = Number.NEGATIVE_INFINITY;
  const all = candidates(sample, options);
  const dividing = all.filter(({ delimiter }) => sample.bytes.includes(delimiter));
  const most = dividing.length === 1 ? FEW_RECORDS : MAX_RECORDS;
  for (const dialect of all) {
    if (bestScore >= MAX_UNDIVIDED && !sample.bytes.includes(dialect.delimiter)) continue;
    const reading = readAs(sample, dialect, most);
    // Where ' quotes nothing, taking it for the quote would only hide what is wrong with a ".
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
  // Apostrophes are in most exports, and open no field in nearly all.
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

function readAs(sample: TableSample, dialect: Dialect, most: number = MAX_RECORDS): Reading {
  const rules = csvRules(dialect);
  const scanner = new RecordScanner(rules);
  const { bytes } = sample;
  scanner.load(bytes, sample.whole);
  const opening = `${dialect.delimiter}${dialect.quote}`;
  const fields: number[] = [];
  let quoted = 0;
  for (let at = 0; at < bytes.length && fields.length < most; at = scanner.next) {
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
 * The share of records with the expected number of fields, weighed by that number: two columns need
 * nearly half of the records to be likelier than one column of text.
 */
function scoreOf({ fields, quoted }: Reading, header: SourceOptions['header']): number {
  const expected = expectedFields(fields, header);
  if (expected === 0) return -1;
  const usual = mostFrequent(fields);
  // Where each record ends in a delimiter and the header doesn't, it is the table's all the same.
  const agreeing = fields.reduce((sum, count) => {
    if (count === expected) return sum + 1;
    return count === usual && Math.min(count, expected) > 1 ? sum + OTHER_THAN_HEADER : sum;
  }, 0);
  const weight = expected === 1 ? ONE_COLUMN_WEIGHT : 1 - 1 / (expected + 1);
  return (agreeing / fields.length) * weight + QUOTE_WEIGHT * quoted;
}

function expectedFields(fields: readonly number[], header: SourceOptions['header']): number {
  if (Array.isArray(header)) return fields.length === 0 ? 0 : header.length;
  return (header === false ? mostFrequent(fields) : fields[0]) ?? 0;
}

/** The most frequent number; of equally frequent ones, the first. */
function mostFrequent(numbers: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

/** How many fields most records of a sample have. */
export function usualFields(sample: TableSample, dialect: Dialect): number {
  return mostFrequent(readAs(sample, dialect).fields.filter((count) => count > 0)) ?? 1;
}

/**
 * For a CSV source whose header is one column: the delimiter that would give it most columns, or
 * `undefined` if none gives more than one.
 */
export function betterDelimiter({ columns, dialect }: CsvLayout): SuggestedDelimiter | undefined {
  return columns.length === 1 ? delimiterFor(columns[0] ?? '', dialect) : undefined;
}

/** The same for the text of a header. */
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
