import { countLineEnds, type Dialect } from '../../model/chunk.js';
import { SourceError } from '../../model/errors.js';
import { count } from '../../model/figures.js';
import {
  endsInRejectColumns,
  escapesFormulas,
  fieldCount,
  namesWithApostrophes,
  REJECT_COLUMNS,
  withoutApostrophe,
} from '../../model/reject-columns.js';
import { nextLineStart } from '../boundaries/lines.js';
import { csvRules, RecordScanner } from '../boundaries/record-scanner.js';
import type { DetectedText, TextFileFormat, TextSample } from '../format.js';
import type { SourceOptions } from '../options.js';
import { refuseNoTable } from '../refuse-formats.js';
import { type FoundTable, findTable } from '../table/find-table.js';
import {
  betterDelimiter,
  type CsvRow,
  csvRows,
  delimiterFor,
  detectDialect,
  type TableSample,
} from './detect-dialect.js';
import { divideFirstLine } from './own-header.js';
import { type CsvLayout, unwrapped } from './parse-csv.js';

/** Delimited fields, in any dialect. */
export const csv: TextFileFormat<CsvLayout> = {
  name: 'csv',
  title: 'CSV',
  extensions: ['csv', 'tsv', 'tab', 'psv'],
  hasColumns: true,
  text: {
    recognise: () => true,
    divisible: true,
    detect: readTable,
    scanner({ source: { layout }, limits: { maxRecordBytes } }) {
      const columns = fieldCount(layout);
      return new RecordScanner(csvRules(layout.dialect, { columns, maxRecordBytes }));
    },
  },
  betterDelimiter,
};

const NO_BYTES = Buffer.alloc(0);
/** Rows in which the table is found; more only if they are the whole source. */
const MAX_ROWS = 1000;

/**
 * Detects the dialect, the columns, and where the records start and end.
 * @throws SourceError if the source is empty or its header can't be read
 */
function readTable(sample: TextSample, options: SourceOptions): DetectedText<CsvLayout> {
  const { name, bytes, mark, whole } = sample;
  const { start: tableStart, stated } = startOfTable(sample, options);
  const table = tableIn(sample, tableStart);
  const dialect = detectDialect(table, { ...stated, ...options });
  const line = 1 + countLineEnds(bytes.subarray(0, tableStart));
  const { rows, questions } = rowsIn(table, dialect, { ...options, line });
  if (rows.length === 0) throw emptyTable(sample);
  const found = findTable(rows, options, { name, unit: 'line', whole });
  const header = found.header === undefined ? undefined : rows[found.header];
  if (header?.isBroken && found.columns.length === 1) {
    throw brokenHeader(name, table.bytes.subarray(header.start, header.end), dialect);
  }
  const offsetOf = (at: number | undefined): number => tableStart + (rows[at ?? -1]?.next ?? 0);
  const start = offsetOf(found.from - 1);
  const layout = csvLayout(name, found, dialect, options.ragged);
  const head = bytes.subarray(mark, header === undefined ? start : offsetOf(found.header));
  return {
    layout,
    head: headOf(head, header, found.columns, dialect),
    tail: NO_BYTES,
    start: { byte: start, record: 1, line: 1 + countLineEnds(bytes.subarray(0, start)) },
    ...(found.to === undefined ? {} : { end: offsetOf(found.to - 1) }),
    notices: [
      ...(header?.isBroken
        ? [`${name} has a header ${OF_ITS_OWN}: ${found.columns.join(', ')}.`]
        : []),
      ...noticesOn(name, layout.columns, whole && found.from === rows.length),
    ],
    reading: { ...found.reading, questions: [...questions, ...found.reading.questions] },
  };
}

const OF_ITS_OWN =
  'that uses other quotes or another delimiter than its rows, so it is read separately';

/** Finds the start of the table: after skipped lines and a line that states the delimiter. */
function startOfTable(
  sample: TextSample,
  options: SourceOptions,
): { readonly start: number; readonly stated: Pick<SourceOptions, 'delimiter'> } {
  const isStated = options.format ?? options.delimiter ?? options.comment ?? options.skipLines;
  const skipped = skipLines(sample, options.skipLines ?? 0);
  const separator = separatorLine(sample.bytes, skipped);
  if (isStated === undefined && separator === undefined) refuseNoTable(sample.name, sample.bytes);
  return { start: separator?.next ?? skipped, stated: separator?.stated ?? {} };
}

function csvLayout(
  name: string,
  { header, columns, pads }: FoundTable,
  dialect: Dialect,
  stated: SourceOptions['ragged'],
): CsvLayout {
  const ragged = stated ?? (pads ? 'pad' : undefined);
  const common = { format: 'csv', dialect, ...(ragged === undefined ? {} : { ragged }) };
  if (header === undefined) return { ...common, columns, header: 'none' };
  const names = columns.map(unwrapped);
  if (!endsInRejectColumns(name, names)) return { ...common, columns: names, header: 'plain' };
  const own = names.slice(0, -REJECT_COLUMNS.length);
  const isEscaped = escapesFormulas(dialect);
  return {
    ...common,
    columns: isEscaped ? own.map((cell) => unwrapped(withoutApostrophe(cell))) : own,
    header: 'rejects',
  };
}

interface TableRows {
  readonly rows: readonly CsvRow[];
  readonly questions: readonly string[];
}

/** @param options with the number of the table's first line */
function rowsIn(
  table: TableSample,
  dialect: Dialect,
  { line, ...options }: SourceOptions & { readonly line: number },
): TableRows {
  const max = table.whole ? Number.POSITIVE_INFINITY : MAX_ROWS;
  const rows = [...csvRows(table, dialect, max)];
  const [first, ...others] = rows.map((row) => ({ ...row, number: row.number + line - 1 }));
  if (first === undefined) return { rows: [], questions: [] };
  const text = table.bytes.toString('utf8', first.start, first.end);
  const { cells, questions } = divideFirstLine(text, [first, ...others], dialect, options);
  const isBroken = first.isBroken || cells !== first.cells;
  return { rows: [{ ...first, cells, isBroken }, ...others], questions };
}

/** Parses a first line `sep=;`, which states the delimiter for Excel. */
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
      throw new SourceError(`${name} has fewer than the ${lines} lines to skip: check skipLines.`);
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
  return { bytes: table, whole, tabs: /\.(tsv|tab)(\.gz)?$/i.test(name) };
}

function emptyTable({ name, bytes, whole }: TextSample): SourceError {
  const sampled = Math.round(bytes.length / 1024);
  return new SourceError(
    whole
      ? `${name} is empty (${count(bytes.length, 'byte')}): export or download it again.`
      : `${name} has no complete header in the first ${sampled} KiB, the longest possible: check its delimiter, quote and encoding, and that it is a CSV file.`,
  );
}

/**
 * The lines before the records. A header whose columns are named otherwise, or like formulas, is
 * written anew.
 */
function headOf(
  head: Buffer,
  header: CsvRow | undefined,
  columns: readonly string[],
  dialect: Dialect,
): Buffer {
  const { delimiter, quote, escape: mark } = dialect;
  const names = escapesFormulas(dialect) ? namesWithApostrophes(columns) : columns;
  const isAsWritten = names.every((name, at) => name === header?.cells[at]?.trim());
  if (header === undefined || (isAsWritten && !header.isBroken)) return Buffer.from(head);
  const before = head.subarray(0, head.length - (header.next - header.start));
  const fields = names.map((name) => {
    if (quote === null) return name;
    const marked = mark === null || mark === quote ? name : name.replaceAll(mark, mark + mark);
    return `${quote}${marked.replaceAll(quote, (mark ?? quote) + quote)}${quote}`;
  });
  return Buffer.concat([before, Buffer.from(`${fields.join(delimiter)}\n`)]);
}

function noticesOn(name: string, columns: readonly string[], noRecords: boolean): string[] {
  const notices = noRecords ? [`${name} has only a header and no records.`] : [];
  // Undecodable column names contain �; that matters only to mappings that use them.
  const broken = columns.filter((column) => column.includes('\ufffd'));
  if (broken.length === 0) return notices;
  const names = broken.map((column) => JSON.stringify(column)).join(', ');
  return [
    `${name} has a header with bytes that can't be decoded, in ${names}: if it is in another encoding, set that.`,
    ...notices,
  ];
}

function brokenHeader(name: string, header: Buffer, dialect: Dialect): SourceError {
  const better = delimiterFor(header.toString('utf8'), dialect);
  const remedy =
    better === undefined
      ? 'fix the header, or set the delimiter and the quote'
      : `with ${JSON.stringify(better.delimiter)} it has ${better.columns.length} columns, so set the delimiter to ${JSON.stringify(better.delimiter)}`;
  return new SourceError(
    `${name} has mismatched quotes in its header if the delimiter is ${JSON.stringify(dialect.delimiter)}: ${remedy}.`,
  );
}
