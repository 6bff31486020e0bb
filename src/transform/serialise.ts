import { hash } from 'node:crypto';
import type { Chunk } from '../chunk.js';
import { DIGEST_BYTES, type Documents } from '../documents.js';

const COMMA = 0x2c;
/** UTF-8 takes at most three bytes for one UTF-16 code unit. */
const MOST_BYTES_PER_UNIT = 3;

/** Collects a chunk's documents as bytes; each is serialised by the caller, exactly once. */
export class DocumentWriter {
  #bytes: Buffer;
  #length = 0;
  readonly #ends: number[] = [];
  readonly #records: number[] = [];
  readonly #sourceIds: (string | null)[] = [];
  readonly #idHashes: number[] = [];
  readonly #digests: Buffer[] = [];

  /** @param expectedBytes a guess at the size of all documents together */
  constructor(expectedBytes: number) {
    this.#bytes = Buffer.allocUnsafe(Math.max(1024, expectedBytes));
  }

  /** @param record which record of the chunk it comes from, from 0 */
  add(json: string, record: number, sourceId: string | null): void {
    this.#reserve(json.length * MOST_BYTES_PER_UNIT + 1);
    this.#length += this.#bytes.write(json, this.#length, 'utf8');
    this.#ends.push(this.#length);
    this.#bytes[this.#length] = COMMA;
    this.#length += 1;
    this.#records.push(record);
    this.#sourceIds.push(sourceId);
    this.#addIdHash(sourceId);
    this.#digests.push(digestOf(json));
  }

  finish(chunk: Chunk): Documents {
    const bytes = this.#bytes.subarray(0, this.#length);
    return {
      chunk,
      bytes,
      ends: Uint32Array.from(this.#ends),
      records: Uint32Array.from(this.#records),
      sourceIds: this.#sourceIds,
      idHashes: Uint32Array.from(this.#idHashes),
      digests: Buffer.concat(this.#digests),
    };
  }

  #addIdHash(sourceId: string | null): void {
    if (sourceId === null) this.#idHashes.push(0, 0);
    else {
      const digest = hash('sha1', sourceId, 'buffer');
      this.#idHashes.push(digest.readUInt32LE(0), digest.readUInt32LE(4));
    }
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + more));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

const DOWNLOADED = '"downloaded":"';

/**
 * A hash of what a document says. When it was captured is no part of that: a review that an export
 * shows twice is the same review. In a text the key could only stand with escaped quotes.
 */
function digestOf(json: string): Buffer {
  const at = json.indexOf(DOWNLOADED);
  const end = json.indexOf('"', at + DOWNLOADED.length);
  const content = at === -1 ? json : json.slice(0, at) + json.slice(end);
  return hash('sha1', content, 'buffer').subarray(0, DIGEST_BYTES);
}
