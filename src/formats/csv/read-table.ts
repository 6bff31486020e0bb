import { isUtf8 } from 'node:buffer';
import type { Dialect } from '../../model/chunk.js';
import { countLineEnds } from '../../model/chunk.js';
import { SourceError } from '../../model/errors.js';
import { ownColumns } from '../../model/reject-columns.js';
import { withoutMarks } from '../../model/undecodable-marks.js';
import { nextLineStart } from '../boundaries/line-ends.js';
import { csvRules } from '../boundaries/record-rules.js';
import { RecordScanner } from '../boundaries/record-scanner.js';
import type { TextSample, Understood } from '../format.js';
import type { SourceOptions } from '../options.js';
import { delimiterFor, detectDialect, type TableSample, usualFields } from './detect-dialect.js';
import type { CsvLayout } from './dialect.js';
import { firstRow } from './parse-csv.js';

/**
 * Finds a CSV source's dialect, its columns, and where its records begin.
 * @throws SourceError if it is empty or its header can't be read
 */
export function readTable(sample: TextSample, options: SourceOptions): Understood<CsvLayout> {
  const { name, bytes, mark, whole } = sample;
  const tableStart = skipLines(sample, options.skipLines ?? 0);
  const table: TableSample = {
    bytes: whole ? bytes.subarray(tableStart) : wholeLines(bytes.subarray(tableStart)),
    whole,
    tabs: /\.(tsv|tab)(\.(gz|zst))?$/i.test(name),
  };
  const dialect = detectDialect(table, options);
  const first = firstRecord(table, dialect);
  const blank = whole && table.bytes.toString('latin1').trim() === '';
  if (first === undefined || blank) throw emptyTable(sample);
  const { header = true } = options;
  const hasHeader = header === true;
  const columns = hasHeader
    ? readHeader(name, table.bytes.subarray(first.start, first.end), first.found, dialect)
    : columnsWithout(header, table, dialect);
  const start = tableStart + (hasHeader ? first.next : 0);
  const noRecords =
    hasHeader &&
    whole &&
    firstRecord({ bytes: bytes.subarray(start), whole }, dialect) === undefined;
  return {
    layout: { format: 'csv', dialect, ...named(columns, hasHeader) },
    head: Buffer.from(bytes.subarray(mark, start)),
    tail: Buffer.alloc(0),
    start: { byte: start, record: 1, line: 1 + countLineEnds(bytes.subarray(0, start)) },
    notices: [
      ...(hasHeader ? brokenNames(name, bytes.subarray(0, start), columns) : []),
      ...(noRecords ? [`${name} has only a header: there are no records in it.`] : []),
    ],
  };
}

/** The columns that a mapping is to see, and what the header says beside them. */
function named(
  columns: readonly string[],
  hasHeader: boolean,
): Pick<CsvLayout, 'columns' | 'header'> {
  if (!hasHeader) return { columns, header: 'none' };
  const own = ownColumns(columns);
  return { columns: own, header: own.length < columns.length ? 'rejects' : 'plain' };
}

function skipLines({ name, bytes, mark }: TextSample, lines: number): number {
  let at = mark;
  for (let line = 0; line < lines; line += 1) {
    at = nextLineStart(bytes, at);
    if (at < 0) {
      throw new SourceError(
        `${name} does not have ${lines} lines to skip in what was looked at: check skipLines.`,
      );
    }
  }
  return at;
}

/** Up to the last line end: the last line of a sample may be cut. */
function wholeLines(bytes: Buffer): Buffer {
  return bytes.subarray(0, Math.max(bytes.lastIndexOf(0x0a), bytes.lastIndexOf(0x0d)) + 1);
}

interface First {
  readonly found: 'record' | 'broken';
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

function firstRecord({ bytes, whole }: TableSample, dialect: Dialect): First | undefined {
  const scanner = new RecordScanner(csvRules(dialect));
  scanner.load(bytes, whole);
  for (let start = 0; start < bytes.length; start = scanner.next) {
    const found = scanner.scan(start);
    const { end, next } = scanner;
    if (found === 'record' || found === 'broken') return { found, start, end, next };
    if (found !== 'nothing') return undefined;
  }
  return undefined;
}

function emptyTable({ name, bytes, whole }: TextSample): SourceError {
  const sampled = Math.round(bytes.length / 1024);
  return new SourceError(
    whole
      ? `${name} is empty: there is not even a header in it.`
      : `${name} has no complete header in the first ${sampled} KiB, and it may not be longer: check its delimiter, quote and encoding, and that it is a CSV file.`,
  );
}

function readHeader(
  name: string,
  header: Buffer,
  found: First['found'],
  dialect: Dialect,
): readonly string[] {
  if (found === 'broken') throw brokenHeader(name, header, dialect);
  return firstRow(withoutMarks(header), dialect).map((column) => column.trim());
}

/** Names that can't be decoded stand there with �: what a mapping does without costs nothing. */
function brokenNames(name: string, head: Buffer, columns: readonly string[]): readonly string[] {
  if (isUtf8(head)) return [];
  const broken = columns.filter((column) => column.includes('\ufffd'));
  if (broken.length === 0) return [];
  const names = broken.map((column) => JSON.stringify(column)).join(', ');
  return [
    `${name} has a header with bytes that can't be decoded, in ${names}: if it is in another encoding, state that.`,
  ];
}

function brokenHeader(name: string, header: Buffer, dialect: Dialect): SourceError {
  const better = delimiterFor(header.toString('utf8'), dialect);
  const remedy =
    better === undefined
      ? 'fix the header, or state the delimiter and the quote'
      : `split at ${JSON.stringify(better.delimiter)} it has ${better.columns.length} columns, so set the delimiter to that`;
  return new SourceError(
    `${name} has a header whose quotes make no sense when it is split at ${JSON.stringify(dialect.delimiter)}: ${remedy}.`,
  );
}

/** The names given, or the numbers of the columns. */
function columnsWithout(
  header: false | readonly string[],
  table: TableSample,
  dialect: Dialect,
): readonly string[] {
  if (header !== false) return header;
  const count = usualFields(table, dialect);
  return Array.from({ length: count }, (_, index) => String(index + 1));
}
