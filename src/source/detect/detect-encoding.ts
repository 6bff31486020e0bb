import { SourceError } from '../../errors.js';
import type { Sample } from '../sample.js';
import { checkUtf8 } from '../utf8.js';

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

/** This many well-formed characters for each stray byte: it is UTF-8, with damage. */
const DAMAGED_UTF8 = 3;

/**
 * Finds out a source's encoding: by its byte order mark, by the zero bytes of UTF-16, by whether it
 * is valid UTF-8; else it is windows-1252.
 */
export function detectEncoding(name: string, sample: Sample): FoundEncoding {
  const marked = markOf(sample.bytes);
  if (marked !== undefined) return { encoding: marked, notices: [] };
  const utf16 = utf16Of(sample.bytes);
  if (utf16 !== undefined) return { encoding: utf16, notices: [] };
  const { valid, characters, stray } = checkUtf8(sample.bytes, sample.whole);
  if (valid) return { encoding: 'utf-8', notices: [] };
  if (characters >= DAMAGED_UTF8 * stray) {
    return {
      encoding: 'utf-8',
      notices: [
        `${name} is UTF-8, but some of its bytes are not: the records that hold them are invalid. If it is in another encoding, state that.`,
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
