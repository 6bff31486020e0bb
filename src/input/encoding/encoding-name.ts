import iconv from 'iconv-lite';
import { OptionError } from '../../model/errors.js';
import { didYouMean } from '../../model/names.js';

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
