import type { BytesChunk, Chunk } from '../model/chunk.js';
import type { Place } from '../model/record.js';
import { type LocatedRecord, locateRecords } from './boundaries/locate-records.js';
import { csvLine } from './csv/csv-line.js';
import { objectText } from './objects/object-text.js';

/** Where a record of a chunk stands. */
export function placeOf(chunk: Chunk, index: number): Place {
  const record = chunk.position.record + index;
  return { source: chunk.source, record, line: lineOf(chunk, index) };
}

function lineOf(chunk: Chunk, index: number): number | null {
  // The rows of a Parquet file stand on no lines.
  if (chunk.kind === 'objects' || chunk.layout.format === 'parquet') return null;
  if (chunk.kind === 'broken') return chunk.position.line;
  return located(chunk)[index]?.line ?? null;
}

/** A record as it was read; a row of a workbook as CSV. */
export function rawRecord(chunk: Chunk, index: number): Uint8Array {
  if (chunk.kind === 'broken') return chunk.bytes;
  if (chunk.kind === 'objects') return Buffer.from(objectText(chunk.objects[index]));
  const record = located(chunk)[index];
  if (record === undefined) return new Uint8Array();
  const bytes = chunk.bytes.subarray(record.start, record.end);
  return chunk.layout.format === 'xlsx' ? rowAsCsv(bytes) : bytes;
}

/** A row of a sheet can't be given back as it was read: as CSV it can be mended and read again. */
function rowAsCsv(row: Uint8Array): Uint8Array {
  const texts = JSON.parse(Buffer.from(row).toString()) as readonly string[];
  return Buffer.from(csvLine(texts).slice(0, -1));
}

/** Records are located only in chunks in which something has to be named, and then once. */
const locatedChunks = new WeakMap<Chunk, readonly LocatedRecord[]>();

function located(chunk: BytesChunk): readonly LocatedRecord[] {
  const known = locatedChunks.get(chunk);
  if (known !== undefined) return known;
  const records = locateRecords(chunk);
  locatedChunks.set(chunk, records);
  return records;
}
