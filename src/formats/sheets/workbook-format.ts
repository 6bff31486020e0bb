/** What formats of workbooks have in common: their sheets are tables, and cells are texts. */
import type { BytesChunk } from '../../model/chunk.js';
import type { ParsedRecord } from '../../model/record.js';
import { locateLines } from '../boundaries/cut-records.js';
import { lineRules } from '../boundaries/record-rules.js';
import { csvLine } from '../csv/csv-line.js';
import type { BinaryFormat, Format } from '../format.js';
import type { ReadWorkbook } from './open-workbook.js';

/** What tells a format of workbooks from the others. */
interface WorkbookFormat
  extends Pick<Format, 'name' | 'title' | 'rank' | 'extensions'>,
    Pick<BinaryFormat, 'label' | 'recognise'> {
  /** Loads what reads its files. */
  readonly load: () => Promise<ReadWorkbook>;
}

const LINES = lineRules();

/** Each row becomes a line, empty or with a JSON list of the cells' texts. */
export function workbookFormat({ label, recognise, load, ...format }: WorkbookFormat): Format {
  return {
    ...format,
    hasColumns: true,
    hasLines: true,
    binary: {
      label,
      recognise,
      async open(file, options) {
        const { openWorkbook } = await import('./open-workbook.js');
        return await openWorkbook({ format: format.name, file, read: await load() }, options);
      },
      async firstRows(file, max) {
        const { firstRows } = await import('./open-workbook.js');
        return await firstRows({ format: format.name, file, read: await load() }, max);
      },
    },
    parse: parseRows,
    locate: (chunk) => locateLines(chunk, LINES),
    // A row can't be given back as it was read: as CSV it can be fixed and read again.
    asRead: (bytes) => ({ raw: Buffer.from(csvLine(cellsOf(bytes)).slice(0, -1)), shape: 'whole' }),
  };
}

function parseRows({ bytes }: BytesChunk): readonly ParsedRecord[] {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString()
    .split('\n');
  return lines.filter((line) => line !== '').map((line) => ({ value: JSON.parse(line) }));
}

function cellsOf(row: Uint8Array): readonly string[] {
  return JSON.parse(Buffer.from(row).toString());
}
