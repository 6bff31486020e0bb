import { countLineEnds, type Dialect } from '../../model/chunk.js';
import { SourceError } from '../../model/errors.js';
import { endsInRejectColumns, fieldCount, REJECT_COLUMNS } from '../../model/reject-columns.js';
import { locateLines } from '../boundaries/cut-records.js';
import { nextLineStart } from '../boundaries/lines.js';
import { csvRules, RecordScanner } from '../boundaries/record-scanner.js';
import type { DetectedText, TextOne, TextSample } from '../format.js';
import type { SourceOptions } from '../options.js';
import { refuseNoTable } from '../refuse-formats.js';
import {
  betterDelimiter,
  delimiterFor,
  detectDialect,
  type TableSample,
  usualFields,
} from './detect-dialect.js';
import { type CsvLayout, firstRow, parseCsv, unwrapped } from './parse-csv.js';
import { csvAsRead } from './record-as-read.js';

/** Delimited fields, in any dialect. */
export const csv: TextOne<CsvLayout> = {
  name: 'csv',
  title: 'CSV',
  extensions: ['csv', 'tsv', 'tab', 'psv'],
  hasColumns: true,
  hasLines: true,
  text: {
    recognise: () => true,
    divisible: true,
    detect: readTable,
    scanner({ source: { layout }, limits: { maxRecordBytes } }) {
      const columns = fieldCount(layout);
      return new RecordScanner(csvRules(layout.dialect, { columns, maxRecordBytes }));
    },
  },
  parse: parseCsv,
  locate: (chunk) => locateLines(chunk, csvRules(chunk.layout.dialect)),
  asRead: csvAsRead,
  betterDelimiter,
};

const NO_BYTES = Buffer.alloc(0);

/**
 * Detects the dialect, the columns, and where the records start.
 * @throws SourceError if the source is empty or its header can't be read
 */
function readTable(sample: TextSample, options: SourceOptions): DetectedText<CsvLayout> {
  const { name, bytes, mark, whole } = sample;
  const isStated = options.format ?? options.delimiter ?? options.comment ?? options.skipLines;
  const skipped = skipLines(sample, options.skipLines ?? 0);
  const separator = separatorLine(bytes, skipped);
  if (isStated === undefined && separator === undefined) refuseNoTable(name, bytes);
  const tableStart = separator?.next ?? skipped;
  const table = tableIn(sample, tableStart);
  const dialect = detectDialect(table, { ...separator?.stated, ...options });
  const first = firstRecord(table, dialect);
  if (first === undefined) throw emptyTable(sample);
  const { header = true, ragged } = options;
  const padding = ragged === undefined ? {} : { ragged };
  const start = tableStart + (header === true ? first.next : 0);
  const opened = {
    head: Buffer.from(bytes.subarray(mark, start)),
    tail: NO_BYTES,
    start: { byte: start, record: 1, line: 1 + countLineEnds(bytes.subarray(0, start)) },
  };
  if (header !== true) {
    const columns = header === false ? numberedColumns(table, dialect) : header;
    const layout = { format: 'csv', dialect, columns, header: 'none', ...padding } as const;
    return { ...opened, layout, notices: [] };
  }
  const record = table.bytes.subarray(first.start, first.end);
  if (first.isBroken) throw brokenHeader(name, record, dialect);
  const names = firstRow(record, dialect).map((column) => unwrapped(column.trim()));
  const isOfRejects = endsInRejectColumns(name, names);
  const columns = isOfRejects ? names.slice(0, -REJECT_COLUMNS.length) : names;
  const rest = { bytes: bytes.subarray(start), whole };
  const noRecords = whole && firstRecord(rest, dialect) === undefined;
  return {
    ...opened,
    layout: {
      format: 'csv',
      dialect,
      columns,
      header: isOfRejects ? 'rejects' : 'plain',
      ...padding,
    },
    notices: noticesOn(name, names, noRecords),
  };
}

/** Parses a first line `sep=;`, which tells Excel the delimiter. */
function separatorLine(
  bytes: Buffer,
  from: number,
): { readonly next: number; readonly stated: Pick<SourceOptions, 'delimiter'> } | undefined {
  const line = bytes.toString('latin1', from, from + MAX_SEPARATOR_LINE);
  const [whole, , delimiter] = /^("?)sep=([^\r\n"])\1(?:\r\n|\n|\r)/i.exec(line) ?? [];
  if (whole === undefined || delimiter === undefined) return undefined;
  return { next: from + whole.length, stated: { delimiter } };
}

const MAX_SEPARATOR_LINE = 10;

function skipLines({ name, bytes, mark }: TextSample, lines: number): number {
  let at = mark;
  for (let line = 0; line < lines; line += 1) {
    at = nextLineStart(bytes, at);
    if (at < 0) {
      throw new SourceError(
        `${name} does not have ${lines} lines to skip at its start: check skipLines.`,
      );
    }
  }
  return at;
}

/**
 * Extracts the table from a sample, without a last line that may be cut off. Blank text is no
 * table.
 */
function tableIn({ name, bytes, whole }: TextSample, start: number): TableSample {
  const wholeLines = Math.max(bytes.lastIndexOf(0x0a), bytes.lastIndexOf(0x0d)) + 1;
  const lines = bytes.subarray(start, whole ? bytes.length : wholeLines);
  const table = whole && lines.toString('latin1').trim() === '' ? NO_BYTES : lines;
  return { bytes: table, whole, tabs: /\.(tsv|tab)(\.(gz|zst))?$/i.test(name) };
}

interface FirstRecord {
  readonly isBroken: boolean;
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

function firstRecord({ bytes, whole }: TableSample, dialect: Dialect): FirstRecord | undefined {
  const scanner = new RecordScanner(csvRules(dialect));
  scanner.load(bytes, whole);
  for (let start = 0; start < bytes.length; start = scanner.next) {
    const found = scanner.scan(start);
    const { end, next } = scanner;
    if (found === 'record' || found === 'broken') {
      return { isBroken: found === 'broken', start, end, next };
    }
    if (found !== 'nothing') return undefined;
  }
  return undefined;
}

function emptyTable({ name, bytes, whole }: TextSample): SourceError {
  const sampled = Math.round(bytes.length / 1024);
  return new SourceError(
    whole
      ? `${name} is empty: it has no header.`
      : `${name} has no complete header in the first ${sampled} KiB, the longest that is possible: check its delimiter, quote and encoding, and that it is a CSV file.`,
  );
}

function numberedColumns(table: TableSample, dialect: Dialect): readonly string[] {
  return Array.from({ length: usualFields(table, dialect) }, (_, index) => String(index + 1));
}

function noticesOn(name: string, columns: readonly string[], noRecords: boolean): string[] {
  const notices = noRecords ? [`${name} has only a header and no records.`] : [];
  // Undecodable column names contain �; that matters only to mappings that use them.
  const broken = columns.filter((column) => column.includes('\ufffd'));
  if (broken.length === 0) return notices;
  const names = broken.map((column) => JSON.stringify(column)).join(', ');
  return [
    `${name} has a header with bytes that can't be decoded, in ${names}: if it is in another encoding, state that.`,
    ...notices,
  ];
}

function brokenHeader(name: string, header: Buffer, dialect: Dialect): SourceError {
  const better = delimiterFor(header.toString('utf8'), dialect);
  const remedy =
    better === undefined
      ? 'fix the header, or state the delimiter and the quote'
      : `split at ${JSON.stringify(better.delimiter)} it has ${better.columns.length} columns, so set the delimiter to that`;
  return new SourceError(
    `${name} has a header with mismatched quotes when it is split at ${JSON.stringify(dialect.delimiter)}: ${remedy}.`,
  );
}
