import type { Chunk } from '../../chunk.js';
import { DIGEST_BYTES, type Documents } from '../../documents.js';

/**
 * A chunk's documents in one piece of memory, which crosses between threads without a copy: first
 * what is counted in eight bytes (when published), then the words (ends, records, hashes of ids,
 * ends of ids), then digests, sourceIds, and the documents.
 */
export interface PackedDocuments {
  readonly buffer: ArrayBuffer;
  /** How many documents there are. */
  readonly count: number;
  /** How many bytes the sourceIds take. */
  readonly idBytes: number;
}

const WORD_BYTES = 4;

/** Where the parts of a packed buffer start. */
interface Offsets {
  readonly ends: number;
  readonly records: number;
  readonly idHashes: number;
  readonly idEnds: number;
  readonly digests: number;
  readonly ids: number;
  readonly bytes: number;
}

function offsetsOf(count: number, idBytes: number): Offsets {
  const words = count * WORD_BYTES;
  const ends = count * Float64Array.BYTES_PER_ELEMENT;
  const records = ends + words;
  const idHashes = records + words;
  const idEnds = idHashes + 2 * words;
  const digests = idEnds + words;
  const ids = digests + count * DIGEST_BYTES;
  return { ends, records, idHashes, idEnds, digests, ids, bytes: ids + idBytes };
}

/** Copies documents into one piece, without the room that serialising left over. */
export function packDocuments(documents: Documents): PackedDocuments {
  const count = documents.ends.length;
  const idBytes = documents.ids.length;
  const { bytes } = offsetsOf(count, idBytes);
  const buffer = new ArrayBuffer(bytes + documents.bytes.length);
  const packed = { buffer, count, idBytes };
  const parts = partsOf(packed);
  parts.published.set(documents.published);
  parts.ends.set(documents.ends);
  parts.records.set(documents.records);
  parts.idHashes.set(documents.idHashes);
  parts.idEnds.set(documents.idEnds);
  parts.digests.set(documents.digests);
  parts.ids.set(documents.ids);
  parts.bytes.set(documents.bytes);
  return packed;
}

/** The documents of a packed buffer, which stays where it is. */
export function unpackDocuments(packed: PackedDocuments, chunk: Chunk): Documents {
  return { chunk, ...partsOf(packed) };
}

function partsOf({ buffer, count, idBytes }: PackedDocuments): Omit<Documents, 'chunk'> {
  const offsets = offsetsOf(count, idBytes);
  return {
    published: new Float64Array(buffer, 0, count),
    ends: new Uint32Array(buffer, offsets.ends, count),
    records: new Uint32Array(buffer, offsets.records, count),
    idHashes: new Uint32Array(buffer, offsets.idHashes, 2 * count),
    idEnds: new Uint32Array(buffer, offsets.idEnds, count),
    digests: new Uint8Array(buffer, offsets.digests, count * DIGEST_BYTES),
    ids: new Uint8Array(buffer, offsets.ids, idBytes),
    bytes: new Uint8Array(buffer, offsets.bytes),
  };
}
