import iconv from 'iconv-lite';
/** The decoder of encodings whose characters are of one to four bytes. */
import { undecodableMark } from '../../model/undecodable-marks.js';
import type { ToUtf8 } from './decode-units.js';

const REPLACEMENT = '\ufffd';
const MAX_CHARACTER_BYTES = 4;
/** A byte up to this (line ends, blanks, quotes) is a character, whatever stands before it. */
const MAX_ALONE = 0x22;

/**
 * The library gives � for a byte that it can't decode, and doesn't say which. So it is given whole
 * characters only, which can be decoded again by themselves to find that byte.
 */
export class CharacterDecoder implements ToUtf8 {
  readonly #encoding: string;
  /** The bytes of a � that stands in the file; nothing if the encoding has none. */
  readonly #replacement: Buffer | undefined;
  #rest: Buffer = Buffer.alloc(0);
  /** Offset of the rest in the file. */
  #offset = 0;

  constructor(encoding: string) {
    this.#encoding = encoding;
    const replacement = iconv.encode(REPLACEMENT, encoding);
    const stands = replacement.length > 1 && this.#text(replacement) === REPLACEMENT;
    this.#replacement = stands ? replacement : undefined;
  }

  write(piece: Buffer): Buffer {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    const end = this.#endOfCharacters(bytes);
    this.#rest = Buffer.from(bytes.subarray(end));
    return this.#decode(bytes.subarray(0, end));
  }

  end(): Buffer {
    return this.#decode(this.#rest);
  }

  /** Where the last character ends that is whole, or can't become so. */
  #endOfCharacters(bytes: Buffer): number {
    let from = bytes.length;
    while (from > 0 && (bytes[from - 1] as number) > MAX_ALONE) from -= 1;
    let end = bytes.length;
    while (end > from && this.#isPending(bytes.subarray(from, end))) end -= 1;
    return end;
  }

  #isPending(bytes: Buffer): boolean {
    const decoder = iconv.getDecoder(this.#encoding, { stripBOM: false });
    decoder.write(bytes);
    return (decoder.end() ?? '') !== '';
  }

  #decode(bytes: Buffer): Buffer {
    const offset = this.#offset;
    this.#offset += bytes.length;
    const text = this.#text(bytes);
    return text.includes(REPLACEMENT) ? this.#marked(bytes, offset) : Buffer.from(text);
  }

  /** Looks closer at the words in which something can't be decoded. */
  #marked(bytes: Buffer, offset: number): Buffer {
    const parts: Buffer[] = [];
    for (let at = 0; at < bytes.length; ) {
      const next = bytes.subarray(at).findIndex((byte) => byte <= MAX_ALONE);
      const end = next < 0 ? bytes.length : at + next + 1;
      const word = bytes.subarray(at, end);
      const text = this.#text(word);
      if (text.includes(REPLACEMENT)) parts.push(...this.#characters(word, offset + at));
      else parts.push(Buffer.from(text));
      at = end;
    }
    return Buffer.concat(parts);
  }

  #characters(bytes: Buffer, offset: number): Buffer[] {
    const parts: Buffer[] = [];
    for (let at = 0; at < bytes.length; ) {
      const character = this.#firstCharacter(bytes.subarray(at, at + MAX_CHARACTER_BYTES));
      const used = character?.length ?? 1;
      parts.push(
        character === undefined
          ? undecodableMark(bytes.subarray(at, at + 1), offset + at)
          : Buffer.from(this.#text(character)),
      );
      at += used;
    }
    return parts;
  }

  /** The bytes of the character that some bytes begin with; nothing if they begin with none. */
  #firstCharacter(bytes: Buffer): Buffer | undefined {
    for (let length = 1; length <= bytes.length; length += 1) {
      const character = bytes.subarray(0, length);
      if (!this.#text(character).includes(REPLACEMENT)) return character;
      if (this.#replacement?.equals(character)) return character;
    }
    return undefined;
  }

  #text(bytes: Buffer): string {
    return iconv.decode(bytes, this.#encoding, { stripBOM: false });
  }
}
