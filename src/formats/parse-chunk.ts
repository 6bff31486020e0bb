import type { BytesChunk, Chunk } from '../model/chunk.js';
import type { ParsedRecord } from '../model/record.js';
import { parseCsv } from './csv/parse-csv.js';
import { asObject, parseJsonRecords } from './json/parse-json.js';

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
      return parseBytes(chunk);
    default:
      return chunk satisfies never;
  }
}

function parseBytes(chunk: BytesChunk): readonly ParsedRecord[] {
  switch (chunk.layout.format) {
    case 'csv':
      return parseCsv(chunk.bytes, chunk.layout, { ...chunk, offset: chunk.position.byte });
    case 'xlsx':
      return parseRows(chunk.bytes);
    default:
      return parseJsonRecords(chunk);
  }
}

/** Rows of a sheet, as docferry itself wrote them. */
function parseRows(bytes: Uint8Array): readonly ParsedRecord[] {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString()
    .split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => ({ value: JSON.parse(line) as readonly string[] }));
}
