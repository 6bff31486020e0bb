import iconv from 'iconv-lite';
import { didYouMean, OptionError } from '../../model/errors.js';
import { count } from '../../model/figures.js';

/** The pieces of a source as UTF-8. UTF-8 passes as it is, valid or not. A byte order mark stays. */
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

/** Whether a canonical name is that of UTF-8, or of ASCII, which is part of it. */
export function isUtf8Name(encoding: string): boolean {
  return encoding === 'utf-8';
}

/** Decodes one piece after another; without a piece, what is left at the end. */
function decoderOf(encoding: string): (piece?: Uint8Array) => string {
  if (encoding.startsWith('utf-16')) {
    const decoder = new TextDecoder(encoding, { ignoreBOM: true });
    return (piece) => decoder.decode(piece, { stream: piece !== undefined });
  }
  if (encoding.startsWith('utf-32')) {
    const decoder = iconv.getDecoder(encoding, { stripBOM: false });
    return (piece) => (piece && decoder.write(bufferOf(piece))) ?? decoder.end() ?? '';
  }
  let rest: Buffer = Buffer.alloc(0);
  // Whole characters: the library's decoders lose some if a piece begins within a damaged one.
  return (piece) => {
    const bytes = piece === undefined ? rest : Buffer.concat([rest, piece]);
    const end = piece === undefined ? bytes.length : endOfCharacters(bytes);
    rest = Buffer.from(bytes.subarray(end));
    return iconv.decode(bytes.subarray(0, end), encoding, { stripBOM: false });
  };
}

/** In all of these encodings, a byte below this ends a character. */
const ENDING = 0x30;
/** Text without any such byte is cut somewhere. */
const MAX_REST = 1024 * 1024;

function endOfCharacters(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] as number) >= ENDING) end -= 1;
  return end === 0 && bytes.length > MAX_REST ? bytes.length : end;
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

const REPLACEMENT = '\ufffd';
/** Bytes shown around the first one. */
const SHOWN = 40;

/** Counts the characters that stand for what could not be decoded. */
export class ReplacementCount {
  #count = 0;
  #first = '';
  #ended = false;

  /** Passes on what was decoded. */
  async *counted(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for await (const piece of pieces) {
        this.#add(bufferOf(piece));
        yield piece;
      }
    } finally {
      this.#ended = true;
    }
  }

  /** One sentence once the source has been read, if there were any. */
  remarks(name: string, encoding: string | null): readonly string[] {
    if (!this.#ended || this.#count === 0) return [];
    const [what, remedy] =
      encoding === null
        ? ["of its text can't be encoded (lone surrogates)", 'Fix the text.']
        : [`can't be decoded from ${encoding}`, 'If it is in another encoding, state that.'];
    const shown = JSON.stringify(this.#first);
    return [
      `${name}: ${count(this.#count, 'character')} ${what}, and ${REPLACEMENT} stands for each; the first is in ${shown}. ${remedy}`,
    ];
  }

  #add(piece: Buffer): void {
    let at = piece.indexOf(REPLACEMENT);
    if (at >= 0 && this.#count === 0) this.#first = around(piece, at);
    for (; at >= 0; at = piece.indexOf(REPLACEMENT, at + 1)) this.#count += 1;
  }
}

/** The part of a line around a place, without characters that are cut at its ends. */
function around(piece: Buffer, at: number): string {
  const before = piece.toString('utf8', Math.max(0, at - SHOWN), at).replace(/^\ufffd+/u, '');
  const behind = piece.toString('utf8', at, at + SHOWN).replace(/(?<=.)\ufffd+$/u, '');
  return `${before.split(/[\r\n]/u).at(-1)}${behind.split(/[\r\n]/u)[0]}`;
}

/** Names that mean another encoding than the decoder would take them for, or are spelt in many ways. */
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
  // As browsers do: text that claims Latin-1 has curly quotes and euro signs, never control codes.
  latin1: 'windows-1252',
  iso88591: 'windows-1252',
};

/**
 * The decoder knows these, but they are no encodings of text, or ones in which it can't be told what
 * is damaged: in UTF-7, which browsers refuse as well, a byte has no meaning of its own.
 */
const NO_ENCODINGS = new Set([
  ...['base64', 'hex', 'binary', 'internal', 'cesu8'],
  ...['utf7', 'unicode11utf7', 'utf7imap'],
]);

/** Encodings that exports come in, for suggestions. */
const USUAL = [
  ...['utf-8', 'utf-16le', 'utf-16be', 'utf-32le', 'ascii', 'latin1', 'macroman'],
  ...Array.from({ length: 9 }, (_, page) => `windows-125${page}`),
  ...Array.from({ length: 16 }, (_, part) => `iso-8859-${part + 1}`),
  ...['cp437', 'cp850', 'cp852', 'cp866', 'koi8-r', 'koi8-u', 'shift_jis', 'euc-jp', 'euc-kr'],
  ...['gbk', 'gb2312', 'gb18030', 'big5', 'tis-620', 'windows-874'],
];

/**
 * The name under which an encoding is read and reported.
 * @throws OptionError for a name that is not known
 */
export function encodingName(given: string): string {
  const name = given.trim().toLowerCase();
  const bare = name.replace(/[^a-z0-9]/g, '');
  const canonical = Object.hasOwn(CANONICAL, bare) ? CANONICAL[bare] : undefined;
  if (canonical !== undefined) return canonical;
  if (!NO_ENCODINGS.has(bare) && bare !== '' && iconv.encodingExists(name)) return name;
  const hint = didYouMean(name, USUAL) || '; expected one such as utf-8 or windows-1252.';
  throw new OptionError(
    `The encoding "${given}" is not known${hint} Leave it out to have it detected.`,
  );
}
