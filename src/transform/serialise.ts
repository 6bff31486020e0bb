import { Buffer } from 'node:buffer';
import xxhash from 'xxhash-wasm';
import { type ReviewFields, reviewFields } from '../mapping/compile/compile-document.js';
import { instantOfLastTimestamp } from '../mapping/dates/read-date.js';
import type { Mapping } from '../mapping/mapping.js';
import { givesHash } from '../mapping/rules.js';
import { type Chunk, partOf } from '../model/chunk.js';
import type { ImportedDocument } from '../model/document.js';
import { DIGEST_BYTES, type Documents } from '../model/documents.js';
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
      published === undefined
        ? Number.NaN
        : instantOfLastTimestamp(published) || Date.parse(published);
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

/**
 * Rows of hashes, one for each document of a chunk: of what identifies its review, and of each field
 * that may change. Only where the mapping hashes ids, or says `duplicates: same-review`.
 */
export class ReviewHashes {
  /** Words of a row; 0 if no reviews are compared. */
  readonly width: number;
  readonly #fields: ReviewFields;
  readonly #ofAll: boolean;

  constructor({ document, duplicates }: Pick<Mapping, 'document' | 'duplicates'>) {
    this.#fields = reviewFields({ document });
    this.#ofAll = duplicates === 'same-review';
    const used = this.#ofAll || givesHash(document.sourceId);
    this.width = used ? 1 + this.#fields.others.length : 0;
  }

  /**
   * Writes a document's row, if it is to be compared by its review.
   * @param hashedId whether its sourceId is a hash that the mapping made
   */
  write(rows: Uint32Array, at: number, document: ImportedDocument, hashedId: boolean): void {
    if (!hashedId && !this.#ofAll) return;
    const { identifying, others } = this.#fields;
    const start = at * this.width;
    // 0 would mean that the whole document is compared.
    rows[start] = Number(textsHash(identifying.map(({ read }) => read(document))) >> 32n) || 1;
    for (const [index, { read }] of others.entries()) {
      rows[start + 1 + index] = shortHash(read(document));
    }
  }
}

/** FNV-1a over UTF-16: these texts are short, and two of them are compared at a time. */
function shortHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * 64-bit hashes by which ids and contents are told apart (xxHash64). They are quick, and nobody who
 * writes reviews gains anything from making two of them meet.
 */
let hashes: Awaited<ReturnType<typeof xxhash>> | undefined;

/**
 * Compiles the hashes, once; to be awaited before they are used. A module that awaited them by
 * itself would keep `require` from loading all that imports it.
 */
export async function loadHashes(): Promise<void> {
  hashes ??= await xxhash();
}

function loaded(): NonNullable<typeof hashes> {
  if (hashes === undefined)
    throw new Error('The hashes were not loaded. This is a bug in docferry.');
  return hashes;
}

const QUOTE = 0x22;
const DOWNLOADED = Buffer.from('"downloaded":"');

/** The hash of any bytes. */
export function bytesHash(bytes: Uint8Array): bigint {
  return loaded().h64Raw(bytes);
}

/** The hash of a sourceId. */
function idHash(sourceId: string): bigint {
  return loaded().h64(sourceId);
}

/**
 * A hash of what a document (JSON in UTF-8) says. When it was captured is no part of that: a review
 * that an export shows twice is the same review. In a text the key could only stand with escaped
 * quotes.
 * @param bytes hold the document from `from` (inclusive) to `to` (exclusive)
 * @param before how many characters most likely stand before the key
 */
function contentHash(
  bytes: Buffer,
  from: number = 0,
  to: number = bytes.length,
  before: number = 0,
): bigint {
  const { h64Raw } = loaded();
  let at = bytes.indexOf(DOWNLOADED, from + before);
  if (before > 0 && (at < 0 || at >= to)) at = bytes.indexOf(DOWNLOADED, from);
  if (at < 0 || at >= to) return h64Raw(partOf(bytes, from, to));
  const end = bytes.indexOf(QUOTE, at + DOWNLOADED.length);
  return h64Raw(partOf(bytes, end, to), h64Raw(partOf(bytes, from, at)));
}

/** A hash of several texts, in which the border between two of them counts. */
function textsHash(texts: readonly string[]): bigint {
  return loaded().h64(texts.map((text) => `${text.length}:${text}`).join(''));
}
