/** Decoders of encodings whose code units are all of one size. */
import { undecodableMark } from '../../model/undecodable-marks.js';
import { encodeText, SurrogateJoiner } from './encode-text.js';

/** Turns the bytes of a source into UTF-8, a piece at a time. */
export interface ToUtf8 {
  write(piece: Buffer): Buffer;
  end(): Buffer;
}

const NONE = Buffer.alloc(0);
const MAX_CODE_POINT = 0x10ffff;

/** Own code, as lone surrogates have to be told from a replacement character in the text. */
export class Utf16Decoder implements ToUtf8 {
  readonly #bigEndian: boolean;
  readonly #joiner = new SurrogateJoiner();
  #odd: Buffer = NONE;
  /** Offset in the file of the first code unit that has not been encoded. */
  #offset = 0;

  constructor(bigEndian: boolean) {
    this.#bigEndian = bigEndian;
  }

  write(piece: Buffer): Buffer {
    const bytes = Buffer.concat([this.#odd, piece]);
    const even = bytes.length - (bytes.length % 2);
    this.#odd = Buffer.from(bytes.subarray(even));
    const units = bytes.subarray(0, even);
    if (this.#bigEndian) units.swap16();
    return this.#encode(this.#joiner.add(units.toString('utf16le')));
  }

  /** Half a code unit can't be decoded, as little as half a pair. */
  end(): Buffer {
    const text = this.#encode(this.#joiner.end());
    const half = this.#odd.length > 0 ? undecodableMark(this.#odd, this.#offset) : NONE;
    return Buffer.concat([text, half]);
  }

  #encode(text: string): Buffer {
    const start = this.#offset;
    this.#offset += 2 * text.length;
    return encodeText(text, (unit, index) =>
      undecodableMark(this.#bytesOf(unit), start + 2 * index),
    );
  }

  #bytesOf(unit: number): readonly number[] {
    const bytes = [unit & 0xff, unit >> 8];
    return this.#bigEndian ? bytes.reverse() : bytes;
  }
}

/** Own code, as surrogates and what is beyond Unicode have to be told from characters. */
export class Utf32Decoder implements ToUtf8 {
  readonly #bigEndian: boolean;
  #rest: Buffer = NONE;
  /** Offset of the rest in the file. */
  #offset = 0;

  constructor(bigEndian: boolean) {
    this.#bigEndian = bigEndian;
  }

  write(piece: Buffer): Buffer {
    const bytes = Buffer.concat([this.#rest, piece]);
    const whole = bytes.length - (bytes.length % 4);
    const parts: Buffer[] = [];
    let text = '';
    for (let at = 0; at < whole; at += 4) {
      const code = this.#bigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
      if (isCharacter(code)) text += String.fromCodePoint(code);
      else {
        const mark = undecodableMark(bytes.subarray(at, at + 4), this.#offset + at);
        parts.push(Buffer.from(text), mark);
        text = '';
      }
    }
    this.#rest = Buffer.from(bytes.subarray(whole));
    this.#offset += whole;
    return Buffer.concat([...parts, Buffer.from(text)]);
  }

  end(): Buffer {
    return this.#rest.length > 0 ? undecodableMark(this.#rest, this.#offset) : NONE;
  }
}

function isCharacter(code: number): boolean {
  return code <= MAX_CODE_POINT && (code < 0xd800 || code > 0xdfff);
}
