import type { Chunk } from '../../chunk.js';
import { DIGEST_BYTES, type Documents } from '../../documents.js';

/**
 * A chunk's documents in one piece of memory, which crosses between threads without a copy: first
 * the words (ends, records, hashes of ids), then digests, sourceIds as JSON, and the documents.
 */
export interface PackedDocuments {
  readonly buffer: ArrayBuffer;
  /** How many documents there are. */
  readonly count: number;
  /** How many bytes the sourceIds take. */
  readonly idBytes: number;
}

const WORD_BYTES = 4;
/** A document's end, its record, and two words of hash. */
const WORDS = 4;

/** Where the parts of a packed buffer start. */
interface Offsets {
  readonly records: number;
  readonly idHashes: number;
  readonly digests: number;
  readonly ids: number;
  readonly bytes: number;
}

function offsetsOf(count: number, idBytes: number): Offsets {
  const records = count * WORD_BYTES;
  const idHashes = 2 * records;
  const digests = WORDS * records;
  const ids = digests + count * DIGEST_BYTES;
  return { records, idHashes, digests, ids, bytes: ids + idBytes };
}

/** Copies documents into one piece, without the room that serialising left over. */
export function packDocuments(documents: Documents): PackedDocuments {
  const count = documents.ends.length;
  const ids = Buffer.from(JSON.stringify(documents.sourceIds));
  const offsets = offsetsOf(count, ids.length);
  const buffer = new ArrayBuffer(offsets.bytes + documents.bytes.length);
  new Uint32Array(buffer, 0, count).set(documents.ends);
  new Uint32Array(buffer, offsets.records, count).set(documents.records);
  new Uint32Array(buffer, offsets.idHashes, 2 * count).set(documents.idHashes);
  const bytes = new Uint8Array(buffer);
  bytes.set(documents.digests, offsets.digests);
  bytes.set(ids, offsets.ids);
  bytes.set(documents.bytes, offsets.bytes);
  return { buffer, count, idBytes: ids.length };
}

/** The documents of a packed buffer, which stays where it is. */
export function unpackDocuments(packed: PackedDocuments, chunk: Chunk): Documents {
  const { buffer, count, idBytes } = packed;
  const offsets = offsetsOf(count, idBytes);
  let sourceIds: Documents['sourceIds'] | undefined;
  return {
    chunk,
    ends: new Uint32Array(buffer, 0, count),
    records: new Uint32Array(buffer, offsets.records, count),
    idHashes: new Uint32Array(buffer, offsets.idHashes, 2 * count),
    digests: new Uint8Array(buffer, offsets.digests, count * DIGEST_BYTES),
    bytes: new Uint8Array(buffer, offsets.bytes),
    /** Most are never asked for, so the main thread reads them only then. */
    get sourceIds(): Documents['sourceIds'] {
      sourceIds ??= JSON.parse(Buffer.from(buffer, offsets.ids, idBytes).toString('utf8'));
      return sourceIds as Documents['sourceIds'];
    },
  };
}
