import { isAscii, isUtf8 } from 'node:buffer';
import { asBuffer, type Chunk } from '../../model/chunk.js';
import { DAMAGED_UTF8 } from './detect-encoding.js';
import { checkUtf8 } from './utf8.js';

/** Chunks that are looked at closely: what they show doesn't change with more of them. */
const MAX_CHUNKS = 64;

/** What turns up about the encoding of a source that was taken for UTF-8 by its first part. */
export class EncodingEvidence {
  /** Characters of UTF-8 in chunks that hold stray bytes, too. */
  characters = 0;
  /** Places in them that are no UTF-8. */
  stray = 0;
  #looked = 0;
  /** Whether some chunk is UTF-8 and more than ASCII. */
  #isUtf8 = false;

  add(chunk: Chunk): void {
    if (chunk.kind !== 'bytes' || chunk.decodedFrom !== undefined || this.#isUtf8) return;
    const bytes = asBuffer(chunk.bytes);
    if (isAscii(bytes)) return;
    if (isUtf8(bytes)) this.#isUtf8 = true;
    else if (this.#looked < MAX_CHUNKS) {
      const { characters, stray } = checkUtf8(bytes, true);
      this.characters += characters;
      this.stray += stray;
      this.#looked += 1;
    }
  }

  /** Whether it is windows-1252 all the same. */
  get isWindows1252(): boolean {
    return !this.#isUtf8 && this.characters < DAMAGED_UTF8 * this.stray;
  }
}
