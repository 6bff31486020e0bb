import { Buffer } from 'node:buffer';
import xxhash from 'xxhash-wasm';
import { reviewFields } from '../mapping/compile/compile-document.js';
import { instantOfLastTimestamp } from '../mapping/dates/read-date.js';
import type { Mapping } from '../mapping/mapping.js';
import { givesHash } from '../mapping/rules.js';
import { type Chunk, partOf } from '../model/chunk.js';
import type { ImportedDocument } from '../model/document.js';
import { DIGEST_BYTES, type Documents } from '../model/documents.js';

const COMMA = 0x2c;
/** Most UTF-8 bytes for one UTF-16 code unit. */
const MAX_BYTES_PER_UNIT = 3;

/** Takes half the time of `Buffer.write` on Node 20, and no more on later versions. */
const ENCODER = new TextEncoder();

export type Allocate = (bytes: number) => Buffer;

export const allocateFresh: Allocate = (bytes) => Buffer.allocUnsafeSlow(bytes);

/**
 * Reuses memory, for documents that are copied before the next chunk: allocating and freeing it
 * would take as long as mapping the records.
 */
export function allocateReused(): Allocate {
  let memory: Buffer = Buffer.alloc(0);
  return (bytes) => {
    if (memory.length < bytes) memory = allocateFresh(bytes);
    return memory;
  };
}

/** Digest of a document that won't be sent. */
export interface DocumentDigest {
  readonly digest: bigint;
  /** Whether a text contains a lone surrogate, which can't be sent. */
  readonly broken: boolean;
}

/**
 * Collects a chunk's documents as bytes, or only their digests. The caller serialises or digests each
 * document once.
 */
export class DocumentWriter {
  readonly #allocate: Allocate;
  readonly #expectedBytes: number;
  #bytes: Buffer = Buffer.alloc(0);
  /** End of the last document and its comma. */
  #end = 0;
  #count = 0;
  readonly #ends: Uint32Array;
  readonly #records: Uint32Array;
  readonly #sourceIds: (string | null)[] = [];
  readonly #idHashes: BigUint64Array;
  readonly #digests: BigUint64Array;
  readonly #published: Float64Array;
  readonly #hashReview: HashReview | undefined;
  readonly #reviews: Uint32Array;

  /**
   * @param max maximum number of documents
   * @param expectedBytes estimated total size of the documents
   * @param allocate allocates their memory
   * @param hashReview for mappings whose documents are compared by their reviews
   */
  constructor(
    max: number,
    expectedBytes: number,
    allocate: Allocate = allocateFresh,
    hashReview?: HashReview,
  ) {
    this.#allocate = allocate;
    this.#hashReview = hashReview;
    this.#reviews = new Uint32Array(hashReview === undefined ? 0 : max);
    this.#expectedBytes = Math.max(1024, expectedBytes);
    this.#ends = new Uint32Array(max);
    this.#records = new Uint32Array(max);
    this.#idHashes = new BigUint64Array(max);
    this.#digests = new BigUint64Array(max);
    this.#published = new Float64Array(max);
  }

  /**
   * @param form the document's JSON, or its digest if it won't be sent
   * @param record index of its record in the chunk, from 0
   * @param hashedId whether its sourceId is a hash computed by the mapping
   */
  add(
    form: string | DocumentDigest,
    record: number,
    document: ImportedDocument,
    hashedId = false,
  ): void {
    const { sourceId = null, published } = document;
    const at = this.#count;
    const start = this.#end;
    if (typeof form === 'string') {
      this.#write(form);
      this.#digests[at] = contentHash(this.#bytes, start, this.#end - 1, document.text?.length);
      this.#ends[at] = this.#end - 1;
    } else {
      this.#digests[at] = form.digest;
    }
    this.#records[at] = record;
    this.#sourceIds.push(sourceId);
    this.#idHashes[at] = sourceId === null ? 0n : textHash(sourceId);
    this.#published[at] =
      published === undefined
        ? Number.NaN
        : instantOfLastTimestamp(published) || Date.parse(published);
    if (this.#hashReview !== undefined) this.#reviews[at] = this.#hashReview(document, hashedId);
    this.#count += 1;
  }

  finish(chunk: Chunk): Documents {
    const count = this.#count;
    return {
      chunk,
      // Empty if the documents were only digested.
      bytes: this.#bytes.subarray(0, this.#end),
      ends: this.#ends.subarray(0, count),
      records: this.#records.subarray(0, count),
      ...writeIds(this.#sourceIds),
      idHashes: new Uint32Array(this.#idHashes.buffer, 0, 2 * count),
      digests: new Uint8Array(this.#digests.buffer, 0, DIGEST_BYTES * count),
      reviews: this.#reviews.subarray(0, count),
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
    const larger = this.#allocate(wanted);
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.#bytes = larger;
  }
}

interface WrittenIds {
  readonly ids: Uint8Array;
  readonly idEnds: Uint32Array;
}

/** Writes all ids of a chunk at once, several times faster than one by one. */
function writeIds(sourceIds: readonly (string | null)[]): WrittenIds {
  const list = JSON.stringify(sourceIds);
  const ids = Buffer.from(sourceIds.length === 0 ? '' : `${list.slice(1, -1)},`, 'utf8');
  // Every character is one byte and none is escaped.
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

/** Hashes what identifies a document's review; 0 if the document is compared as a whole. */
type HashReview = (document: ImportedDocument, hashedId: boolean) => number;

/**
 * Compiles the hash for `Documents.reviews`; `undefined` if the mapping neither hashes ids nor has
 * `duplicates: same-review`.
 */
export function compileReviewHash({
  document,
  duplicates,
}: Pick<Mapping, 'document' | 'duplicates'>): HashReview | undefined {
  const forAll = duplicates === 'same-review';
  if (!forAll && !givesHash(document.sourceId)) return undefined;
  const fields = reviewFields({ document });
  return (made, hashedId) => {
    if (!forAll && !hashedId) return 0;
    return Number(textsHash(fields.map((read) => read(made))) >> 32n) || 1;
  };
}

/**
 * xxHash64, used to compare ids and contents. It need not be collision-resistant: authors of
 * reviews gain nothing from a collision.
 */
let hashes: Awaited<ReturnType<typeof xxhash>> | undefined;

/**
 * Compiles the hashes once; await before use. A top-level await would keep `require` from loading
 * every module that imports this one.
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

export function textHash(text: string): bigint {
  return loaded().h64(text);
}

/**
 * Hashes a document (JSON in UTF-8) without `downloaded`, because a review exported twice is still
 * the same. Searching for the key is safe: inside a text its quotes would be escaped.
 * @param bytes contain the document from `from` (inclusive) to `to` (exclusive)
 * @param before a likely minimum offset of the key
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

/** Hashes several texts; the boundaries between them count. */
function textsHash(texts: readonly string[]): bigint {
  return textHash(texts.map((text) => `${text.length}:${text}`).join(''));
}
