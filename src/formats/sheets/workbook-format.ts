/** What formats of workbooks have in common: their sheets are tables, and cells are texts. */
import type { BytesChunk, Layout } from '../../model/chunk.js';
import type { ParsedRecord, RecordAsRead } from '../../model/record.js';
import { originsIn, withApostrophe } from '../../model/reject-columns.js';
import { locateLines } from '../boundaries/cut-records.js';
import { lineRules } from '../boundaries/record-rules.js';
import { csvLine } from '../csv/csv-line.js';
import type { BinaryFormat, Format } from '../format.js';
import type { ReadWorkbook } from './open-workbook.js';

/** What tells a format of workbooks from the others. */
interface WorkbookFormat
  extends Pick<Format, 'name' | 'title' | 'extensions'>,
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
    asRead: rowAsRead,
  };
}

function parseRows({ bytes }: BytesChunk): readonly ParsedRecord[] {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString()
    .split('\n');
  return lines.filter((line) => line !== '').map((line) => ({ value: JSON.parse(line) }));
}

/** A row can't be given back as it was read: as CSV it can be fixed and read again. */
function rowAsRead(bytes: Uint8Array, { columns = [], header }: Layout): RecordAsRead {
  const cells = cellsOf(bytes);
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

function cellsOf(row: Uint8Array): readonly string[] {
  return JSON.parse(Buffer.from(row).toString());
}
