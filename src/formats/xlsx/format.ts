import type { BytesChunk } from '../../model/chunk.js';
import type { ParsedRecord } from '../../model/record.js';
import { locateLines } from '../boundaries/cut-records.js';
import { lineRules } from '../boundaries/record-rules.js';
import { csvLine } from '../csv/csv-line.js';
import type { Format } from '../format.js';

const LINES = lineRules();

/** Workbooks: each row becomes a line, empty or with a JSON list of the cells' texts. */
export const xlsx: Format = {
  name: 'xlsx',
  title: 'XLSX',
  rank: 4,
  extensions: ['xlsx', 'xlsm'],
  hasColumns: true,
  hasLines: true,
  binary: {
    label: 'an XLSX workbook',
    recognise: (_, members) =>
      members.some((name) => /^\[Content_Types\]\.xml$/i.test(name)) &&
      members.some((name) => /(^|\/)xl\//i.test(name)) &&
      !members.includes('mimetype'),
    async open(file, options) {
      const { openWorkbook } = await import('./open-workbook.js');
      return await openWorkbook(file, options);
    },
    async firstRows(file, max) {
      const { firstRows } = await import('./first-rows.js');
      return await firstRows(file, max);
    },
  },
  parse: parseRows,
  locate: (chunk) => locateLines(chunk, LINES),
  // A row can't be given back as it was read: as CSV it can be fixed and read again.
  asRead: (bytes) => ({ raw: Buffer.from(csvLine(cellsOf(bytes)).slice(0, -1)), shape: 'whole' }),
};

function parseRows({ bytes }: BytesChunk): readonly ParsedRecord[] {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString()
    .split('\n');
  return lines.filter((line) => line !== '').map((line) => ({ value: JSON.parse(line) }));
}

function cellsOf(row: Uint8Array): readonly string[] {
  return JSON.parse(Buffer.from(row).toString());
}
