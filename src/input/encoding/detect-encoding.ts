import { utf8Columns } from '../../formats/csv/utf8-columns.js';
import { detectFormat } from '../../formats/detect-format.js';
import { SourceError } from '../../model/errors.js';
import type { SourceOptions } from '../../model/source.js';
import type { Sample } from '../sample.js';
import { checkUtf8, type Utf8Check } from './utf8.js';

/** An encoding, and what is to be said about how it was found. */
export interface FoundEncoding {
  readonly encoding: string;
  readonly notices: readonly string[];
}

const MARKS: readonly { readonly encoding: string; readonly mark: Buffer }[] = [
  { encoding: 'utf-32le', mark: Buffer.from([0xff, 0xfe, 0, 0]) },
  { encoding: 'utf-32be', mark: Buffer.from([0, 0, 0xfe, 0xff]) },
  { encoding: 'utf-16le', mark: Buffer.from([0xff, 0xfe]) },
  { encoding: 'utf-16be', mark: Buffer.from([0xfe, 0xff]) },
  { encoding: 'utf-8', mark: Buffer.from([0xef, 0xbb, 0xbf]) },
];

/**
 * In text of another encoding, hardly one stray byte in a hundred is followed by bytes that happen to
 * make it a character of UTF-8. So this many characters for each stray byte mean UTF-8 with damage…
 */
export const DAMAGED_UTF8 = 0.5;
/** … and in JSON, which has no other encoding, so many do; */
const DAMAGED_JSON = 0.1;
/** … as do so many in columns of their own, if they are most of all. */
const MIN_IN_COLUMNS = 3;

/** With fewer telling places than this, a larger sample is worth looking at. */
const MIN_PLACES = 50;

/**
 * Finds out a source's encoding: by its byte order mark, by the zero bytes of UTF-16, by the
 * well-formed characters of UTF-8, whatever else is broken; else it is windows-1252.
 */
export function detectEncoding(
  name: string,
  sample: Sample,
  options: SourceOptions = {},
): FoundEncoding {
  const marked = markOf(sample.bytes) ?? utf16Of(sample.bytes);
  if (marked !== undefined) return { encoding: marked, notices: [] };
  const check = checkUtf8(sample.bytes, sample.whole);
  if (check.stray === 0) return { encoding: 'utf-8', notices: [] };
  if (isDamagedUtf8(name, sample, options, check)) {
    return {
      encoding: 'utf-8',
      notices: [
        `${name} is UTF-8, but some of its bytes are not: the fields that hold them can't be read. If it is in another encoding, state that.`,
      ],
    };
  }
  return {
    encoding: 'windows-1252',
    notices: [
      `${name} is not UTF-8: it is read as windows-1252. If accents come out wrong, state its encoding.`,
    ],
  };
}

/** Whether a sample doesn't tell: all of it is ASCII, or it holds few stray bytes and few of others. */
export function isOpen({ bytes, whole }: Sample): boolean {
  if (whole || markOf(bytes) !== undefined || utf16Of(bytes) !== undefined) return false;
  const { stray, characters } = checkUtf8(bytes, whole);
  return (stray > 0 || characters === 0) && stray + characters < MIN_PLACES;
}

function isDamagedUtf8(
  name: string,
  sample: Sample,
  options: SourceOptions,
  { characters, stray }: Utf8Check,
): boolean {
  if (characters === 0) return false;
  if (characters >= DAMAGED_UTF8 * stray) return true;
  // Marks, brackets and delimiters are the same bytes in all encodings that are left.
  if (detectFormat(name, sample.bytes.toString('latin1'), options) !== 'csv') {
    return characters >= DAMAGED_JSON * stray;
  }
  const inColumns = utf8Columns(sample, options)
    .filter((column) => column.characters > column.stray)
    .reduce((sum, column) => sum + column.characters, 0);
  return inColumns >= MIN_IN_COLUMNS && inColumns >= characters / 2;
}

/**
 * Makes sure that a stated encoding does not contradict the file's byte order mark.
 * @throws SourceError
 */
export function checkMark(name: string, bytes: Buffer, encoding: string): void {
  const marked = markOf(bytes);
  if (marked === undefined || marked === encoding) return;
  throw new SourceError(
    `${name} starts with the byte order mark of ${marked}, but its encoding is given as ${encoding}: leave the encoding out, or set it to ${marked}.`,
  );
}

/** The byte order that a mark names, for encodings stated as just utf-16. */
export function markOf(bytes: Buffer): string | undefined {
  return MARKS.find(({ mark }) => mark.equals(bytes.subarray(0, mark.length)))?.encoding;
}

/** In UTF-16 text every ASCII character, at least the line ends, has a zero byte on one side. */
function utf16Of(bytes: Buffer): string | undefined {
  if (!bytes.includes(0)) return undefined;
  const zeros = [0, 0];
  const pairs = Math.floor(bytes.length / 2);
  for (let at = 0; at < 2 * pairs; at += 1) {
    if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  const most = Math.max(even, odd);
  if (most < 2 || most < pairs / 20 || Math.min(even, odd) > most / 20) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}
