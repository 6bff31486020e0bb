import { onDemand } from '../on-demand.js';
import { encodeDecoded, encodeText, SurrogateJoiner } from './encode-text.js';

const iconv = onDemand<typeof import('iconv-lite')>('iconv-lite');

/** Turns the bytes of a source into UTF-8, a piece at a time. */
interface ToUtf8 {
  write(piece: Buffer): Buffer;
  end(): Buffer;
}

/**
 * The pieces of a source as UTF-8. What is UTF-8 already passes as it is, valid or not; what an
 * encoding can't hold becomes a byte that is not valid UTF-8. A byte order mark is kept.
 */
export async function* decodePieces(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (isUtf8Name(encoding)) {
    yield* pieces;
    return;
  }
  const decoder = createDecoder(encoding);
  for await (const piece of pieces) {
    const decoded = decoder.write(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
    if (decoded.length > 0) yield decoded;
  }
  const rest = decoder.end();
  if (rest.length > 0) yield rest;
}

/** Whether a canonical name is that of UTF-8, or of ASCII, which is part of it. */
export function isUtf8Name(encoding: string): boolean {
  return encoding === 'utf-8';
}

function createDecoder(encoding: string): ToUtf8 {
  if (encoding === 'utf-16le' || encoding === 'utf-16be') {
    return new Utf16Decoder(encoding === 'utf-16be');
  }
  const decoder = iconv().getDecoder(encoding, { stripBOM: false });
  return {
    write: (piece) => encodeDecoded(decoder.write(piece)),
    end: () => encodeDecoded(decoder.end() ?? ''),
  };
}

/** Own code, as a half surrogate pair has to be told from a replacement character in the text. */
class Utf16Decoder implements ToUtf8 {
  readonly #bigEndian: boolean;
  readonly #joiner = new SurrogateJoiner();
  #odd: Buffer = Buffer.alloc(0);

  constructor(bigEndian: boolean) {
    this.#bigEndian = bigEndian;
  }

  write(piece: Buffer): Buffer {
    const bytes = Buffer.concat([this.#odd, piece]);
    const even = bytes.length - (bytes.length % 2);
    this.#odd = Buffer.from(bytes.subarray(even));
    const units = bytes.subarray(0, even);
    if (this.#bigEndian) units.swap16();
    return encodeText(this.#joiner.add(units.toString('utf16le')));
  }

  /** Half a code unit, and half a pair, are unreadable. */
  end(): Buffer {
    const half = this.#odd.length > 0 ? '\ud800' : '';
    return encodeText(this.#joiner.end() + half);
  }
}
