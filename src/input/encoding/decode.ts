import { CharacterDecoder } from './decode-characters.js';
import { type ToUtf8, Utf16Decoder, Utf32Decoder } from './decode-units.js';

/**
 * The pieces of a source as UTF-8. What is UTF-8 already passes as it is, valid or not; for what
 * can't be decoded from another encoding there are marks (`undecodable-marks.ts`). A byte order mark
 * is kept.
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
  const unicode = /^utf-(16|32)(le|be)$/u.exec(encoding);
  if (unicode === null) return new CharacterDecoder(encoding);
  const bigEndian = unicode[2] === 'be';
  return unicode[1] === '16' ? new Utf16Decoder(bigEndian) : new Utf32Decoder(bigEndian);
}
