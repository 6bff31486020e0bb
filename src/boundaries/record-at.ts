import type { BytesChunk, Chunk } from '../chunk.js';
import type { Place } from '../record.js';
import { type LocatedRecord, locateRecords } from './locate-records.js';

/** Where a record of a chunk stands. */
export function placeOf(chunk: Chunk, index: number): Place {
  const record = chunk.position.record + index;
  return { source: chunk.source, record, line: lineOf(chunk, index) };
}

function lineOf(chunk: Chunk, index: number): number | null {
  if (chunk.kind === 'objects') return null;
  if (chunk.kind === 'broken') return chunk.position.line;
  return located(chunk)[index]?.line ?? null;
}

/** A record as it was read. */
export function rawRecord(chunk: Chunk, index: number): Uint8Array {
  if (chunk.kind === 'broken') return chunk.bytes;
  if (chunk.kind === 'objects') return Buffer.from(JSON.stringify(chunk.objects[index]) ?? 'null');
  const record = located(chunk)[index];
  return record === undefined ? new Uint8Array() : chunk.bytes.subarray(record.start, record.end);
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
