import { Buffer } from 'node:buffer';
import { instantOf } from '../mapping/dates/timestamp.js';
import { type Chunk, partOf } from '../model/chunk.js';
import type { ImportedDocument } from '../model/document.js';
import { DIGEST_BYTES, type Documents } from '../model/documents.js';
import { contentHash, idHash } from './content-hash.js';
import type { ReviewHashes } from './review-hashes.js';

const COMMA = 0x2c;
/** UTF-8 takes at most three bytes for one UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;

/** On Node 20 it takes half the time of `Buffer.write`, and no more on later ones. */
const ENCODER = new TextEncoder();

/** Gives memory for at least so many bytes. */
export type Room = (bytes: number) => Buffer;

/** Memory of their own for each chunk's documents. */
export const freshRoom: Room = (bytes) => Buffer.allocUnsafeSlow(bytes);

/**
 * The same memory again and again, for documents that are copied before the next chunk comes: to
 * get memory and to give it back takes as long as to map a record.
 */
export function reusedRoom(): Room {
  let room: Buffer = Buffer.alloc(0);
  return (bytes) => {
    if (room.length < bytes) room = freshRoom(bytes);
    return room;
  };
}

/** Collects a chunk's documents as bytes; each is serialised by the caller, exactly once. */
export class DocumentWriter {
  readonly #room: Room;
  #bytes: Buffer;
  #length = 0;
  #count = 0;
  readonly #ends: Uint32Array;
  readonly #records: Uint32Array;
  readonly #sourceIds: (string | null)[] = [];
  readonly #idHashes: BigUint64Array;
  readonly #digests: BigUint64Array;
  readonly #published: Float64Array;
  readonly #hashes: ReviewHashes | undefined;
  readonly #reviews: Uint32Array;

  /**
   * @param most how many documents there will be at most
   * @param expectedBytes a guess at the size of all of them together
   * @param room where they are written
   * @param hashes for mappings that make ids
   */
  constructor(most: number, expectedBytes: number, room: Room = freshRoom, hashes?: ReviewHashes) {
    this.#room = room;
    this.#hashes = hashes;
    this.#reviews = new Uint32Array(most * (hashes?.width ?? 0));
    this.#bytes = room(Math.max(1024, expectedBytes));
    this.#ends = new Uint32Array(most);
    this.#records = new Uint32Array(most);
    this.#idHashes = new BigUint64Array(most);
    this.#digests = new BigUint64Array(most);
    this.#published = new Float64Array(most);
  }

  /**
   * @param json the document, serialised
   * @param record which record of the chunk it comes from, from 0
   * @param hashedId whether its sourceId is a hash that the mapping made
   */
  add(json: string, record: number, document: ImportedDocument, hashedId = false): void {
    const { sourceId = null, published } = document;
    this.#reserve(json.length * MAX_BYTES_PER_UNIT + 1);
    const start = this.#length;
    const { written } = ENCODER.encodeInto(json, partOf(this.#bytes, start));
    const end = start + written;
    this.#bytes[end] = COMMA;
    this.#length = end + 1;
    const at = this.#count;
    this.#ends[at] = end;
    this.#records[at] = record;
    this.#sourceIds.push(sourceId);
    this.#idHashes[at] = sourceId === null ? 0n : idHash(sourceId);
    this.#digests[at] = contentHash(this.#bytes, start, end);
    this.#published[at] =
      published === undefined ? Number.NaN : (instantOf(published) ?? Date.parse(published));
    this.#hashes?.write(this.#reviews, at, document, hashedId);
    this.#count += 1;
  }

  finish(chunk: Chunk): Documents {
    const count = this.#count;
    return {
      chunk,
      bytes: this.#bytes.subarray(0, this.#length),
      ends: this.#ends.subarray(0, count),
      records: this.#records.subarray(0, count),
      ...writeIds(this.#sourceIds),
      idHashes: new Uint32Array(this.#idHashes.buffer, 0, 2 * count),
      digests: new Uint8Array(this.#digests.buffer, 0, DIGEST_BYTES * count),
      reviews: this.#reviews.subarray(0, count * (this.#hashes?.width ?? 0)),
      published: this.#published.subarray(0, count),
    };
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = this.#room(Math.max(this.#bytes.length * 2, this.#length + more));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/** SourceIds as JSON in UTF-8, a comma after each, and where each of them ends. */
export interface WrittenIds {
  readonly ids: Uint8Array;
  readonly idEnds: Uint32Array;
}

/** Writes all ids of a chunk in one go: a call of its own for each would take several times as long. */
export function writeIds(sourceIds: readonly (string | null)[]): WrittenIds {
  const idEnds = new Uint32Array(sourceIds.length);
  let text = '';
  for (const [index, sourceId] of sourceIds.entries()) {
    text += JSON.stringify(sourceId);
    idEnds[index] = text.length;
    text += ',';
  }
  const ids = Buffer.from(text, 'utf8');
  // Otherwise each character was a byte.
  if (ids.length !== text.length) setByteEnds(idEnds, sourceIds);
  return { ids, idEnds };
}

function setByteEnds(idEnds: Uint32Array, sourceIds: readonly (string | null)[]): void {
  let end = -1;
  for (const [index, sourceId] of sourceIds.entries()) {
    end += 1 + Buffer.byteLength(JSON.stringify(sourceId), 'utf8');
    idEnds[index] = end;
  }
}
