import { isAscii, isUtf8 } from 'node:buffer';
import { asBuffer, type PlacedChunk } from '../../model/chunk.js';
import { SourceError } from '../../model/errors.js';
import type { ByteSample } from '../sample.js';
import { encodingName } from './encoding-name.js';
import { checkUtf8, isWellFormed, type Utf8Check } from './utf8.js';

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
/** … and in text that is no table, whose formats have no other encoding, so many do; */
const DAMAGED_OTHERS = 0.1;
/** … as do so many in columns of their own, if they are most of all. */
const MIN_IN_COLUMNS = 3;

/** With fewer telling places than this, a larger sample is worth looking at. */
const MIN_PLACES = 50;

/** What the columns of a table look like as UTF-8, each by itself; nothing if the text is no table. */
export type ColumnsAsUtf8 = () => readonly Utf8Check[] | undefined;

/**
 * The encoding of a source of which a sample is known: the one that is stated, or found.
 * @throws SourceError if what is stated contradicts its byte order mark
 */
export function findEncoding(
  name: string,
  sample: ByteSample,
  given: string | undefined,
  columnsOf: ColumnsAsUtf8,
): FoundEncoding {
  if (given === undefined) return detectEncoding(name, sample, columnsOf);
  const leavesOrderOpen = /^(utf|ucs)-?_?(16|32|2)$/i.test(given.trim());
  const marked = markOf(sample.bytes);
  const stated = encodingName(given);
  const encoding = leavesOrderOpen && marked?.slice(0, 6) === stated.slice(0, 6) ? marked : stated;
  checkMark(name, sample.bytes, encoding);
  return { encoding, notices: [] };
}

/**
 * Finds out a source's encoding: by its byte order mark, by the zero bytes of UTF-16, by the
 * well-formed characters of UTF-8, whatever else is broken; else it is windows-1252.
 */
function detectEncoding(name: string, sample: ByteSample, columnsOf: ColumnsAsUtf8): FoundEncoding {
  const marked = markOf(sample.bytes) ?? utf16Of(sample.bytes);
  if (marked !== undefined) return { encoding: marked, notices: [] };
  if (isWellFormed(sample.bytes, sample.whole)) return { encoding: 'utf-8', notices: [] };
  const check = checkUtf8(sample.bytes, sample.whole);
  if (isDamagedUtf8(check, columnsOf)) {
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
export function isOpen({ bytes, whole }: ByteSample): boolean {
  if (whole || markOf(bytes) !== undefined || utf16Of(bytes) !== undefined) return false;
  const { stray, characters } = checkUtf8(bytes, whole, MIN_PLACES);
  return (stray > 0 || characters === 0) && stray + characters < MIN_PLACES;
}

function isDamagedUtf8({ characters, stray }: Utf8Check, columnsOf: ColumnsAsUtf8): boolean {
  if (characters === 0) return false;
  if (characters >= DAMAGED_UTF8 * stray) return true;
  const columns = columnsOf();
  if (columns === undefined) return characters >= DAMAGED_OTHERS * stray;
  const inColumns = columns
    .filter((column) => column.characters > column.stray)
    .reduce((sum, column) => sum + column.characters, 0);
  return inColumns >= MIN_IN_COLUMNS && inColumns >= characters / 2;
}

/**
 * Makes sure that a stated encoding does not contradict the file's byte order mark.
 * @throws SourceError
 */
function checkMark(name: string, bytes: Buffer, encoding: string): void {
  const marked = markOf(bytes);
  if (marked === undefined || marked === encoding) return;
  throw new SourceError(
    `${name} starts with the byte order mark of ${marked}, but its encoding is given as ${encoding}: leave the encoding out, or set it to ${marked}.`,
  );
}

/** The byte order that a mark names, for encodings stated as just utf-16. */
function markOf(bytes: Buffer): string | undefined {
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

/** Chunks that are looked at closely: what they show doesn't change with more of them. */
const MAX_CHUNKS = 64;

/** What {@link EncodingEvidence} has found, as plain JSON. */
export interface EncodingFindings {
  /** Chunks that hold stray bytes. */
  readonly damaged: readonly Utf8Check[];
  /** Whether some chunk is UTF-8 and more than ASCII. */
  readonly isUtf8: boolean;
}

/** What turns up about the encoding of a source that was taken for UTF-8 by its first part. */
export class EncodingEvidence {
  readonly #damaged: Utf8Check[] = [];
  #isUtf8 = false;

  add(chunk: PlacedChunk): void {
    if (chunk.decodedFrom !== undefined || this.#isUtf8) return;
    if (chunk.kind === 'places') this.#isUtf8 = chunk.beyondAscii;
    if (chunk.kind !== 'bytes') return;
    const bytes = asBuffer(chunk.bytes);
    if (isAscii(bytes)) return;
    if (isUtf8(bytes)) this.#isUtf8 = true;
    else if (this.#damaged.length < MAX_CHUNKS) this.#damaged.push(checkUtf8(bytes, true));
  }

  snapshot(): EncodingFindings {
    return { damaged: [...this.#damaged], isUtf8: this.#isUtf8 };
  }

  /** Adds what was found in a later part of the source. */
  merge({ damaged, isUtf8 }: EncodingFindings): void {
    this.#isUtf8 ||= isUtf8;
    this.#damaged.push(...damaged.slice(0, MAX_CHUNKS - this.#damaged.length));
  }

  /** Characters of UTF-8 in chunks that hold stray bytes, too. */
  get characters(): number {
    return this.#damaged.reduce((sum, { characters }) => sum + characters, 0);
  }

  /** Places in them that are no UTF-8. */
  get stray(): number {
    return this.#damaged.reduce((sum, { stray }) => sum + stray, 0);
  }

  /** Whether it is windows-1252 all the same. */
  get isWindows1252(): boolean {
    return !this.#isUtf8 && this.characters < DAMAGED_UTF8 * this.stray;
  }
}
