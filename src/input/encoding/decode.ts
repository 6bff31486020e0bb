import { createRequire } from 'node:module';
import { asBuffer } from '../../model/chunk.js';
import { OptionError } from '../../model/errors.js';
import { count } from '../../model/figures.js';

const nodeRequire = createRequire(import.meta.url);

/**
 * Decodes a source to UTF-8. UTF-8 passes unchanged, valid or not, and a byte order mark is
 * retained.
 */
export async function* decodePieces(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (isUtf8Name(encoding)) {
    yield* pieces;
    return;
  }
  const decode = decoderOf(encoding);
  for await (const piece of pieces) {
    const text = decode(piece);
    if (text !== '') yield Buffer.from(text);
  }
  const rest = decode();
  if (rest !== '') yield Buffer.from(rest);
}

/** Returns whether a canonical name means UTF-8 (or ASCII, its subset). */
export function isUtf8Name(encoding: string): boolean {
  return encoding === 'utf-8';
}

/** Creates a decoder; called without a piece, it returns the rest. */
function decoderOf(encoding: string): (piece?: Uint8Array) => string {
  if (encoding.startsWith('utf-16')) {
    const decoder = new TextDecoder(encoding, { ignoreBOM: true });
    return (piece) => decoder.decode(piece, { stream: piece !== undefined });
  }
  if (encoding.startsWith('utf-32')) {
    const decoder = iconvLite().getDecoder(encoding, { stripBOM: false });
    return (piece) => (piece && decoder.write(asBuffer(piece))) ?? decoder.end() ?? '';
  }
  const iconv = iconvLite();
  let rest: Buffer = Buffer.alloc(0);
  // Decode whole characters only: iconv-lite loses some if a piece starts inside a damaged one.
  return (piece) => {
    const bytes = piece === undefined ? rest : Buffer.concat([rest, piece]);
    const end = piece === undefined ? bytes.length : endOfCharacters(bytes);
    rest = Buffer.from(bytes.subarray(end));
    return iconv.decode(bytes.subarray(0, end), encoding, { stripBOM: false });
  };
}

/** A byte below this ends a character in all of these encodings. */
const MIN_TRAIL_BYTE = 0x30;
/** Text without any such byte is cut at this size, wherever that is. */
const MAX_REST = 1024 * 1024;

function endOfCharacters(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] as number) >= MIN_TRAIL_BYTE) end -= 1;
  return end === 0 && bytes.length > MAX_REST ? bytes.length : end;
}

const REPLACEMENT = '\ufffd';
/** Bytes of context in the notice, before and after the character. */
const CONTEXT_BYTES = 40;

/** Counts characters that couldn't be decoded (U+FFFD). */
export class ReplacementCount {
  #count = 0;
  #first = '';

  /** Passes the decoded pieces through. */
  async *counted(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const piece of pieces) {
      this.#add(asBuffer(piece));
      yield piece;
    }
  }

  /** Returns a notice, if any were found. */
  remarks(name: string, encoding: string | null): readonly string[] {
    if (this.#count === 0) return [];
    const [what, remedy] =
      encoding === null
        ? ["of its text can't be encoded (lone surrogates)", 'Fix the text.']
        : [`can't be decoded from ${encoding}`, 'If it is in another encoding, set that.'];
    const shown = JSON.stringify(this.#first);
    return [
      `${name}: ${count(this.#count, 'character')} ${what}, so ${REPLACEMENT} replaces each; the first is in ${shown}. ${remedy}`,
    ];
  }

  #add(piece: Buffer): void {
    let at = piece.indexOf(REPLACEMENT);
    if (at >= 0 && this.#count === 0) this.#first = around(piece, at);
    for (; at >= 0; at = piece.indexOf(REPLACEMENT, at + 1)) this.#count += 1;
  }
}

/** Extracts the surrounding text on the same line, without characters that the cut splits. */
function around(piece: Buffer, at: number): string {
  const before = piece
    .toString('utf8', Math.max(0, at - CONTEXT_BYTES), at)
    .replace(/^\ufffd+/u, '');
  const after = piece.toString('utf8', at, at + CONTEXT_BYTES).replace(/(?<=.)\ufffd+$/u, '');
  return `${before.split(/[\r\n]/u).at(-1)}${after.split(/[\r\n]/u)[0]}`;
}

/** Names that iconv-lite would take for another encoding, or that have several spellings. */
const CANONICAL: Readonly<Record<string, string>> = {
  utf8: 'utf-8',
  unicode11utf8: 'utf-8',
  ascii: 'utf-8',
  usascii: 'utf-8',
  utf16: 'utf-16le',
  utf16le: 'utf-16le',
  ucs2: 'utf-16le',
  utf16be: 'utf-16be',
  utf32: 'utf-32le',
  utf32le: 'utf-32le',
  utf32be: 'utf-32be',
  ucs4: 'utf-32le',
  ucs4le: 'utf-32le',
  ucs4be: 'utf-32be',
  cp1252: 'windows-1252',
  win1252: 'windows-1252',
  windows1252: 'windows-1252',
  ansi: 'windows-1252',
  // As in browsers: text labelled Latin-1 has curly quotes and euro signs, never control codes.
  latin1: 'windows-1252',
  iso88591: 'windows-1252',
};

/**
 * Names that iconv-lite accepts although they aren't text encodings, or make damage undetectable:
 * in UTF-7, which browsers refuse too, a byte has no meaning of its own.
 */
const UNSUPPORTED = new Set([
  ...['base64', 'hex', 'binary', 'internal', 'cesu8'],
  ...['utf7', 'unicode11utf7', 'utf7imap'],
]);

/**
 * Normalises an encoding's name.
 * @throws OptionError if it is unknown
 */
export function encodingName(given: string): string {
  const name = given.trim().toLowerCase();
  const bare = name.replace(/[^a-z0-9]/g, '');
  const canonical = Object.hasOwn(CANONICAL, bare) ? CANONICAL[bare] : undefined;
  if (canonical !== undefined) return canonical;
  if (!UNSUPPORTED.has(bare) && bare !== '' && iconvLite().encodingExists(name)) return name;
  throw new OptionError(
    `The encoding "${given}" is unknown; expected, for example, utf-8, windows-1252 or shift_jis. Leave it out to have it detected.`,
  );
}

/** Loaded lazily: UTF-8 needs none of it. */
export function iconvLite(): typeof import('iconv-lite') {
  return nodeRequire('iconv-lite');
}
