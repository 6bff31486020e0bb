import { Buffer } from 'node:buffer';
import { instantOfLast } from '../mapping/dates/timestamp.js';
import { type Chunk, partOf } from '../model/chunk.js';
import type { ImportedDocument } from '../model/document.js';
import { DIGEST_BYTES, type Documents } from '../model/documents.js';
import { contentHash, idHash } from './content-hash.js';
import type { ReviewHashes } from './review-hashes.js';
import type { Weight } from './weigh.js';

const COMMA = 0x2c;
/** UTF-8 takes at most three bytes for one UTF-16 code unit. */
export const MAX_BYTES_PER_UNIT = 3;

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

/** Collects a chunk's documents as bytes, or only their sizes; the caller serialises or weighs each, exactly once. */
export class DocumentWriter {
  readonly #room: Room;
  readonly #expectedBytes: number;
  #bytes: Buffer = Buffer.alloc(0);
  /** Where the last document and its comma end, or would. */
  #end = 0;
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
    this.#expectedBytes = Math.max(1024, expectedBytes);
    this.#ends = new Uint32Array(most);
    this.#records = new Uint32Array(most);
    this.#idHashes = new BigUint64Array(most);
    this.#digests = new BigUint64Array(most);
    this.#published = new Float64Array(most);
  }

  /**
   * @param form the document, serialised, or weighed if it won't be sent
   * @param record which record of the chunk it comes from, from 0
   * @param hashedId whether its sourceId is a hash that the mapping made
   */
  add(form: string | Weight, record: number, document: ImportedDocument, hashedId = false): void {
    const { sourceId = null, published } = document;
    const at = this.#count;
    const start = this.#end;
    if (typeof form === 'string') {
      this.#write(form);
      this.#digests[at] = contentHash(this.#bytes, start, this.#end - 1, document.text?.length);
    } else {
      this.#end += form.bytes + 1;
      this.#digests[at] = form.digest;
    }
    this.#ends[at] = this.#end - 1;
    this.#records[at] = record;
    this.#sourceIds.push(sourceId);
    this.#idHashes[at] = sourceId === null ? 0n : idHash(sourceId);
    this.#published[at] =
      published === undefined ? Number.NaN : instantOfLast(published) || Date.parse(published);
    this.#hashes?.write(this.#reviews, at, document, hashedId);
    this.#count += 1;
  }

  finish(chunk: Chunk): Documents {
    const count = this.#count;
    return {
      chunk,
      // What was only weighed has taken no memory.
      bytes: this.#bytes.subarray(0, this.#end),
      ends: this.#ends.subarray(0, count),
      records: this.#records.subarray(0, count),
      ...writeIds(this.#sourceIds),
      idHashes: new Uint32Array(this.#idHashes.buffer, 0, 2 * count),
      digests: new Uint8Array(this.#digests.buffer, 0, DIGEST_BYTES * count),
      reviews: this.#reviews.subarray(0, count * (this.#hashes?.width ?? 0)),
      published: this.#published.subarray(0, count),
    };
  }

  #write(json: string): void {
    this.#reserve(json.length * MAX_BYTES_PER_UNIT + 1);
    const { written } = ENCODER.encodeInto(json, partOf(this.#bytes, this.#end));
    this.#end += written;
    this.#bytes[this.#end] = COMMA;
    this.#end += 1;
  }

  #reserve(more: number): void {
    if (this.#end + more <= this.#bytes.length) return;
    const wanted = Math.max(this.#expectedBytes, this.#bytes.length * 2, this.#end + more);
    const larger = this.#room(wanted);
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}

/** SourceIds as JSON in UTF-8, a comma after each, and where each of them ends. */
interface WrittenIds {
  readonly ids: Uint8Array;
  readonly idEnds: Uint32Array;
}

/** Writes all ids of a chunk in one go: a call of its own for each would take several times as long. */
function writeIds(sourceIds: readonly (string | null)[]): WrittenIds {
  const list = JSON.stringify(sourceIds);
  const ids = Buffer.from(sourceIds.length === 0 ? '' : `${list.slice(1, -1)},`, 'utf8');
  // Each character is a byte, and none is escaped.
  const isPlain = ids.length === list.length - 1 && !list.includes('\\');
  const idEnds = new Uint32Array(sourceIds.length);
  let end = -1;
  for (let index = 0; index < sourceIds.length; index += 1) {
    const sourceId = sourceIds[index] as string | null;
    end += 1 + (isPlain && sourceId !== null ? sourceId.length + 2 : jsonBytes(sourceId));
    idEnds[index] = end;
  }
  return { ids, idEnds };
}

function jsonBytes(sourceId: string | null): number {
  return Buffer.byteLength(JSON.stringify(sourceId), 'utf8');
}
