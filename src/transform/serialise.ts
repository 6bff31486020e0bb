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
  }

  finish(chunk: Chunk): Documents {
    const bytes = this.#bytes.subarray(0, this.#length);
    const ends = Uint32Array.from(this.#ends);
    return {
      chunk,
      bytes,
      ends,
      records: Uint32Array.from(this.#records),
      sourceIds: this.#sourceIds,
      digests: digestsOf(bytes, ends),
    };
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + more));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

function digestsOf(bytes: Buffer, ends: Uint32Array): Uint8Array {
  const digests = new Uint8Array(ends.length * DIGEST_BYTES);
  let start = 0;
  for (const [index, end] of ends.entries()) {
    const digest = hash('sha1', bytes.subarray(start, end), 'buffer');
    digests.set(digest.subarray(0, DIGEST_BYTES), index * DIGEST_BYTES);
    start = end + 1;
  }
  return digests;
}
