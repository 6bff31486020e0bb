import type { Chunk } from '../chunk.js';
import { parseCsv } from './parse-csv.js';
import { asObject, parseJsonRecords } from './parse-json.js';
import type { ParsedRecord } from './parsed-record.js';

/**
 * Reads the records of a chunk, in order: one entry for each, bad ones included.
 * @throws Error if their number is not the chunk's, which would be a bug
 */
export function parseChunk(chunk: Chunk): readonly ParsedRecord[] {
  const records = parse(chunk);
  if (records.length !== chunk.records) {
    throw new Error(
      `A chunk of ${chunk.source} at byte ${chunk.position.byte} was parsed as ${records.length} records, but cut as ${chunk.records}. This is a bug in docferry.`,
    );
  }
  return records;
}

function parse(chunk: Chunk): readonly ParsedRecord[] {
  switch (chunk.kind) {
    case 'broken':
      return [{ problem: { ...chunk.problem, field: null } }];
    case 'objects':
      return chunk.objects.map(asObject);
    case 'bytes':
      return chunk.layout.format === 'csv'
        ? parseCsv(chunk.bytes, chunk.layout)
        : parseJsonRecords(chunk);
    default:
      return chunk satisfies never;
  }
}
