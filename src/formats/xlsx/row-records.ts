import { asBuffer, type BytesChunk, type Layout } from '../../model/chunk.js';
import type { ParsedRecord, RecordAsRead } from '../../model/record.js';
import { rejectRefsIn, withApostrophe } from '../../model/reject-columns.js';
import { csvLine } from '../csv/record-as-read.js';

/** Parses lines with a JSON list of a row's cells. */
export function parseRows({ bytes }: BytesChunk): readonly ParsedRecord[] {
  const lines = asBuffer(bytes).toString().split('\n');
  return lines.filter((line) => line !== '').map((line) => ({ value: JSON.parse(line) }));
}

/** Rejected rows are written as CSV, so that they can be fixed and read again. */
export function rowAsRead(bytes: Uint8Array, { columns = [], header }: Layout): RecordAsRead {
  const cells: readonly string[] = JSON.parse(Buffer.from(bytes).toString());
  const own = cells.slice(0, columns.length);
  return {
    raw: rowBytes(own),
    shape: 'whole',
    fields: rowBytes(own.map(withApostrophe)),
    ...(header === 'rejects' ? { rejectRefs: rejectRefsIn(cells.at(-1) ?? '') } : {}),
  };
}

function rowBytes(cells: readonly string[]): Buffer {
  return Buffer.from(csvLine(cells).slice(0, -1));
}
