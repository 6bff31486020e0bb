import type { PlacedChunk } from '../../model/chunk.js';
import { DIGEST_BYTES, type Documents } from '../../model/documents.js';

/**
 * A chunk's documents in one piece of memory, which crosses between threads without a copy: first
 * what is counted in eight bytes (when published), then the words (ends, records, hashes of ids,
 * ends of ids, hashes of reviews), then digests, sourceIds, and the documents.
 */
export interface PackedDocuments {
  readonly buffer: ArrayBuffer;
  /** How many documents there are. */
  readonly count: number;
  /** How many words of `reviews` there are. */
  readonly reviewWords: number;
  /** How many bytes the sourceIds take. */
  readonly idBytes: number;
}

const WORD_BYTES = 4;

type Sizes = Omit<PackedDocuments, 'buffer'>;

/** Where the parts of a packed buffer start. */
interface Offsets {
  readonly ends: number;
  readonly records: number;
  readonly idHashes: number;
  readonly idEnds: number;
  readonly reviews: number;
  readonly digests: number;
  readonly ids: number;
  readonly bytes: number;
}

function offsetsOf({ count, reviewWords, idBytes }: Sizes): Offsets {
  const words = count * WORD_BYTES;
  const ends = count * Float64Array.BYTES_PER_ELEMENT;
  const records = ends + words;
  const idHashes = records + words;
  const idEnds = idHashes + 2 * words;
  const reviews = idEnds + words;
  const digests = reviews + reviewWords * WORD_BYTES;
  const ids = digests + count * DIGEST_BYTES;
  return { ends, records, idHashes, idEnds, reviews, digests, ids, bytes: ids + idBytes };
}

/** Copies documents into one piece, without the room that serialising left over. */
export function packDocuments(documents: Documents): PackedDocuments {
  const sizes = {
    count: documents.ends.length,
    reviewWords: documents.reviews.length,
    idBytes: documents.ids.length,
  };
  const buffer = new ArrayBuffer(offsetsOf(sizes).bytes + documents.bytes.length);
  const packed = { buffer, ...sizes };
  const parts = partsOf(packed);
  parts.published.set(documents.published);
  parts.ends.set(documents.ends);
  parts.records.set(documents.records);
  parts.idHashes.set(documents.idHashes);
  parts.idEnds.set(documents.idEnds);
  parts.reviews.set(documents.reviews);
  parts.digests.set(documents.digests);
  parts.ids.set(documents.ids);
  parts.bytes.set(documents.bytes);
  return packed;
}

/** The documents of a packed buffer, which stays where it is. */
export function unpackDocuments(packed: PackedDocuments, chunk: PlacedChunk): Documents {
  return { chunk, ...partsOf(packed) };
}

function partsOf({ buffer, ...sizes }: PackedDocuments): Omit<Documents, 'chunk'> {
  const { count, reviewWords, idBytes } = sizes;
  const offsets = offsetsOf(sizes);
  return {
    published: new Float64Array(buffer, 0, count),
    ends: new Uint32Array(buffer, offsets.ends, count),
    records: new Uint32Array(buffer, offsets.records, count),
    idHashes: new Uint32Array(buffer, offsets.idHashes, 2 * count),
    idEnds: new Uint32Array(buffer, offsets.idEnds, count),
    reviews: new Uint32Array(buffer, offsets.reviews, reviewWords),
    digests: new Uint8Array(buffer, offsets.digests, count * DIGEST_BYTES),
    ids: new Uint8Array(buffer, offsets.ids, idBytes),
    bytes: new Uint8Array(buffer, offsets.bytes),
  };
}
