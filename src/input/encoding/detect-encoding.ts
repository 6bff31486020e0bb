import { isAscii, isUtf8 } from 'node:buffer';
import { SourceError } from '../../model/errors.js';
import type { ByteSample } from '../pieces.js';
import { encodingName, isUtf8Name } from './decode.js';
import type { LikelyEncoding } from './legacy-encoding.js';

export interface FoundEncoding {
  readonly encoding: string;
  readonly notices: readonly string[];
  /** If several fit: the text in each encoding, most likely first. */
  readonly unclear?: readonly LikelyEncoding[];
}

/** Several encodings fit a source and yield different texts. */
export class UnclearEncodingError extends SourceError {
  readonly readings: readonly LikelyEncoding[];

  constructor(name: string, readings: readonly LikelyEncoding[]) {
    const lines = readings.map(({ encoding, line }) => `  ${encoding}: ${JSON.stringify(line)}`);
    const [{ encoding } = { encoding: 'windows-1252' }] = readings;
    super(
      `${name} is not UTF-8, and its encoding is unclear. It could be\n${lines.join('\n')}\nSet the one that reads correctly: --encoding ${encoding}, or encoding: ${encoding} under input in the mapping.`,
    );
    this.readings = readings;
  }
}

const BYTE_ORDER_MARKS: readonly { readonly encoding: string; readonly mark: Buffer }[] = [
  { encoding: 'utf-32le', mark: Buffer.from([0xff, 0xfe, 0, 0]) },
  { encoding: 'utf-32be', mark: Buffer.from([0, 0, 0xfe, 0xff]) },
  { encoding: 'utf-16le', mark: Buffer.from([0xff, 0xfe]) },
  { encoding: 'utf-16be', mark: Buffer.from([0xfe, 0xff]) },
  { encoding: 'utf-8', mark: Buffer.from([0xef, 0xbb, 0xbf]) },
];

/** UTF-8 with damage, if there are this many valid characters per stray place… */
const SURELY_UTF8 = 4;
/**
 * … or this many, unless another encoding reads well (costs less than the number of stray places).
 */
const MAYBE_UTF8 = 0.1;

/** Non-ASCII places in a sample below which a larger sample is worth reading. */
const MIN_PLACES = 50;

/**
 * Determines a source's encoding: the stated one, or by detection.
 * @throws SourceError if the stated one contradicts the bytes
 */
export async function findEncoding(
  name: string,
  sample: ByteSample,
  given: string | undefined,
): Promise<FoundEncoding> {
  if (given === undefined) return await detectEncoding(name, sample);
  const leavesOrderOpen = /^(utf|ucs)-?_?(16|32|2)$/i.test(given.trim());
  const marked = byteOrderMarkOf(sample.bytes);
  const stated = encodingName(given);
  const encoding = leavesOrderOpen && marked?.slice(0, 6) === stated.slice(0, 6) ? marked : stated;
  checkStated(name, sample, encoding);
  return { encoding, notices: [] };
}

/**
 * Detects the encoding by, in this order: byte order mark, zero bytes of UTF-16, validity as UTF-8,
 * and the text that each legacy encoding would yield.
 */
async function detectEncoding(name: string, sample: ByteSample): Promise<FoundEncoding> {
  const marked = byteOrderMarkOf(sample.bytes) ?? utf16Of(sample.bytes);
  if (marked !== undefined) return { encoding: marked, notices: [] };
  const declared = declaredEncoding(sample.bytes);
  if (declared !== undefined) return checkDeclared(name, sample, declared);
  if (isWellFormed(sample.bytes, sample.whole)) return { encoding: 'utf-8', notices: [] };
  const all = checkUtf8(sample.bytes, sample.whole);
  if (all.characters >= SURELY_UTF8 * all.stray) return damagedUtf8(name);
  // Loaded lazily: UTF-8 needs none of it.
  const { likelyReadings, tellingLines } = await import('./legacy-encoding.js');
  const telling = tellingLines(wholeLines(sample));
  const readings = likelyReadings(telling);
  const [best, second] = readings;
  if (best === undefined) return damagedUtf8(name);
  const mayBeUtf8 = all.characters > 0 && all.characters >= MAYBE_UTF8 * all.stray;
  if (mayBeUtf8 && best.cost > checkUtf8(telling, true).stray) return damagedUtf8(name);
  const { encoding, language } = best;
  if (second !== undefined) return { encoding, notices: [], unclear: readings };
  const what = new Intl.DisplayNames('en', { type: 'language' }).of(language);
  return {
    encoding,
    notices: [
      `${name} is not UTF-8: it is read as ${encoding}, in which its text looks like ${what}. If letters come out wrong, set its encoding.`,
    ],
  };
}

/**
 * The encoding in an XML declaration, unless it is ASCII or a Unicode one, which the bytes themselves
 * show.
 */
function declaredEncoding(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, 200);
  const [, name = 'utf-8'] = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)/.exec(start) ?? [];
  if (/^(?:utf|ucs|iso-10646|unicode)/i.test(name)) return undefined;
  try {
    const declared = encodingName(name);
    return isUtf8Name(declared) ? undefined : declared;
  } catch {
    return undefined;
  }
}

/** Text in another encoding is hardly ever valid UTF-8, unless it is ASCII. */
function checkDeclared(
  name: string,
  { bytes, whole }: ByteSample,
  declared: string,
): FoundEncoding {
  const remedy = 'If letters come out wrong, set its encoding';
  if (!isWellFormed(bytes, whole)) return { encoding: declared, notices: [] };
  if (!isAscii(bytes)) {
    const notice = `${name} declares ${declared}, but is UTF-8 and is read as UTF-8. ${remedy}.`;
    return { encoding: 'utf-8', notices: [notice] };
  }
  // The letters that would contradict the declaration may come later.
  const notice = `${name} declares ${declared} and is read as that, but starts with plain ASCII, which would be the same in UTF-8. ${remedy} (--encoding utf-8).`;
  return { encoding: declared, notices: whole ? [] : [notice] };
}

function damagedUtf8(name: string): FoundEncoding {
  return {
    encoding: 'utf-8',
    notices: [
      `${name} is UTF-8, but some of its bytes are not: records are invalid where the mapping uses a field with such bytes. If it is in another encoding, set that.`,
    ],
  };
}

/** Drops the last line of a partial sample, as it may be cut inside a character. */
function wholeLines({ bytes, whole }: ByteSample): Buffer {
  return whole ? bytes : bytes.subarray(0, bytes.lastIndexOf('\n') + 1 || bytes.length);
}

/** Returns whether the sample is inconclusive: ASCII only, or too few non-ASCII places. */
export function isInconclusive({ bytes, whole }: ByteSample): boolean {
  if (whole || byteOrderMarkOf(bytes) !== undefined || utf16Of(bytes) !== undefined) return false;
  const { stray, characters } = checkUtf8(bytes, whole, MIN_PLACES);
  return (stray > 0 || characters === 0) && stray + characters < MIN_PLACES;
}

/** @throws SourceError if the stated encoding contradicts the bytes */
function checkStated(name: string, sample: ByteSample, encoding: string): void {
  const marked = byteOrderMarkOf(sample.bytes);
  const found = marked ?? unicodeOf(sample, encoding);
  if (found === undefined || found === encoding) return;
  const what = marked === undefined ? 'looks like' : 'starts with the byte order mark of';
  throw new SourceError(
    `${name} ${what} ${found}, but its encoding is given as ${encoding}: leave the encoding out, or set it to ${found}.`,
  );
}

/**
 * Detects UTF-16 and UTF-8 where another encoding is stated. Text in another encoding is hardly ever
 * valid UTF-8, unless it is ASCII.
 */
function unicodeOf({ bytes, whole }: ByteSample, stated: string): string | undefined {
  if (!/^utf-(16|32)/.test(stated)) {
    const isUtf8 = isWellFormed(bytes, whole) && checkUtf8(bytes, whole, 1).characters > 0;
    return utf16Of(bytes) ?? (isUtf8 ? 'utf-8' : undefined);
  }
  // Line ends and ASCII have zero bytes in both.
  return !bytes.includes(0) && isWellFormed(bytes, whole) ? 'utf-8' : undefined;
}

function byteOrderMarkOf(bytes: Buffer): string | undefined {
  return BYTE_ORDER_MARKS.find(({ mark }) => mark.equals(bytes.subarray(0, mark.length)))?.encoding;
}

/**
 * Detects UTF-16 by its zero bytes: every ASCII character, at least in line ends, has one on the
 * same side.
 */
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

/** Result of checking bytes as UTF-8. */
interface Utf8Check {
  /** Valid multi-byte characters, without coincidences (see {@link isTelling}). */
  readonly characters: number;
  /** Places with invalid bytes; adjacent bytes count as one place. */
  readonly stray: number;
}

/** Returns whether the bytes are valid UTF-8: like {@link checkUtf8}, much faster. */
function isWellFormed(bytes: Buffer, whole: boolean): boolean {
  return isUtf8(withoutPartial(bytes, whole));
}

/**
 * Counts valid and invalid places. In a partial sample, a character cut off at the end is ignored.
 * @param enough stop after this many places
 */
function checkUtf8(
  bytes: Buffer,
  whole: boolean,
  enough: number = Number.POSITIVE_INFINITY,
): Utf8Check {
  if (isAscii(bytes)) return { characters: 0, stray: 0 };
  const text = withoutPartial(bytes, whole);
  let characters = 0;
  let stray = 0;
  // A regular expression finds non-ASCII bytes much faster than a loop.
  for (const { 0: run, index } of text.toString('latin1').matchAll(/[\x80-\xff]+/g)) {
    let afterStray = -1;
    for (let at = index; at < index + run.length; ) {
      const length = sequenceLength(text[at] as number);
      if (length > 1 && isUtf8(text.subarray(at, at + length))) {
        characters += Number(isTelling(text, at, length));
        at += length;
      } else {
        stray += Number(afterStray !== at);
        at += 1;
        afterStray = at;
      }
    }
    if (characters + stray >= enough) break;
  }
  return { characters, stray };
}

function withoutPartial(bytes: Buffer, whole: boolean): Buffer {
  return whole ? bytes : bytes.subarray(0, bytes.length - partialLength(bytes));
}

/** Number of bytes at the end that start an incomplete character. */
function partialLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const length = sequenceLength(bytes[bytes.length - back] as number);
    if (length > back) return back;
    if (length > 0) return 0;
  }
  return 0;
}

/** Length of the character that a byte starts; 0 if it can't start one. */
function sequenceLength(byte: number): number {
  if (byte < 0x80) return 1;
  if (byte >= 0xc2 && byte <= 0xdf) return 2;
  if (byte >= 0xe0 && byte <= 0xef) return 3;
  return byte >= 0xf0 && byte <= 0xf4 ? 4 : 0;
}

/** Quotes, dashes, ellipsis, no-break space and similar, in windows-1252. */
const WINDOWS_PUNCTUATION = new Set([
  ...[0x85, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99],
  ...[0xa0, 0xa9, 0xab, 0xae, 0xb7, 0xbb],
]);

/**
 * Returns whether a valid character is evidence for UTF-8. In windows-1252, too, an accented letter may
 * precede a punctuation mark (`CAFÉ »`, `Spaß…`), and some such pairs are valid UTF-8. Only after Â
 * and Ã, which start UTF-8's Western accents, is that implausible.
 */
function isTelling(bytes: Buffer, at: number, length: number): boolean {
  if ((bytes[at] as number) <= 0xc3) return true;
  return !bytes.subarray(at + 1, at + length).every((byte) => WINDOWS_PUNCTUATION.has(byte));
}
