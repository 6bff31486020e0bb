/** Formats that aren't text. Each record of their files is converted to a line of JSON. */
import { asBuffer, type BytesChunk, type Layout } from '../model/chunk.js';
import type { ParsedRecord, RecordAsRead } from '../model/record.js';
import { originsIn, withApostrophe } from '../model/reject-columns.js';
import { locateLines } from './boundaries/cut-records.js';
import { lineRules } from './boundaries/record-scanner.js';
import { csvLine } from './csv/record-as-read.js';
import type { BinaryOne } from './format.js';
import { parseLines } from './json/format.js';

const LINES = lineRules();

export const parquet: BinaryOne = {
  name: 'parquet',
  title: 'Parquet',
  extensions: ['parquet'],
  hasColumns: false,
  hasLines: false,
  binary: {
    label: 'a Parquet file',
    magic: 'PAR1',
    async open(file) {
      const { openParquet } = await import('./parquet/decoder.js');
      return [await openParquet(file)];
    },
  },
  parse: parseLines,
  locate: (chunk) => locateLines(chunk, LINES),
};

/** Each row of a sheet becomes a list of its cells' texts, or an empty line. */
export const xlsx: BinaryOne = {
  name: 'xlsx',
  title: 'XLSX',
  extensions: ['xlsx', 'xlsm'],
  hasColumns: true,
  hasLines: true,
  binary: {
    label: 'an XLSX workbook',
    // Other formats with content types were refused before.
    isZip: (members) => members.some((name) => /^\[Content_Types\]\.xml$/i.test(name)),
    async open(file, options) {
      const { openWorkbook } = await import('./xlsx/open-workbook.js');
      return await openWorkbook(file, options);
    },
    async firstRows(file, max) {
      const { firstRows } = await import('./xlsx/open-workbook.js');
      return await firstRows(file, max);
    },
  },
  parse: parseRows,
  locate: (chunk) => locateLines(chunk, LINES),
  asRead: rowAsRead,
};

function parseRows({ bytes }: BytesChunk): readonly ParsedRecord[] {
  const lines = asBuffer(bytes).toString().split('\n');
  return lines.filter((line) => line !== '').map((line) => ({ value: JSON.parse(line) }));
}

/** Rejected rows are written as CSV, so that they can be fixed and read again. */
function rowAsRead(bytes: Uint8Array, { columns = [], header }: Layout): RecordAsRead {
  const cells: readonly string[] = JSON.parse(Buffer.from(bytes).toString());
  const own = cells.slice(0, columns.length);
  return {
    raw: rowBytes(own),
    shape: 'whole',
    fields: rowBytes(own.map(withApostrophe)),
    ...(header === 'rejects' ? { origins: originsIn(cells.at(-1) ?? '') } : {}),
  };
}

function rowBytes(cells: readonly string[]): Buffer {
  return Buffer.from(csvLine(cells).slice(0, -1));
}
