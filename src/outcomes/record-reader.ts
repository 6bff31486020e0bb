import { namedRecord, parseChunk } from '../formats/records.js';
import type { Chunk } from '../model/chunk.js';
import type { ParsedRecord } from '../model/record.js';

/** Gives record `index` of a chunk, from 0, by column or key; `null` if it can't be read. */
export type ReadRecord = (chunk: Chunk, index: number) => unknown;

/** For those who want to see the records: a chunk's are read once more, the first time one is asked for. */
export function recordReader(): ReadRecord {
  const read = new WeakMap<Chunk, readonly ParsedRecord[]>();
  return (chunk, index) => {
    // The very object that the program gave.
    if (chunk.kind === 'objects') return chunk.objects[index];
    const records = read.get(chunk) ?? parseChunk(chunk);
    read.set(chunk, records);
    const value = records[index]?.value;
    return value === undefined ? null : namedRecord(value, chunk.layout);
  };
}
