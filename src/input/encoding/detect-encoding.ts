import { SourceError } from '../../model/errors.js';
import type { ByteSample } from '../sample.js';
import { encodingName } from './encoding-name.js';
import { type LikelyEncoding, likelyReadings, mayBe, tellingLines } from './legacy-encoding.js';
import { checkUtf8, isWellFormed } from './utf8.js';

/** An encoding, and how it was found. */
export interface FoundEncoding {
  readonly encoding: string;
  readonly notices: readonly string[];
  /** Where several fit: what each makes of the text, the likeliest first. */
  readonly unclear?: readonly LikelyEncoding[];
}

/** What is said of a source's encoding. */
export interface StatedEncoding {
  /** By the user. */
  readonly encoding?: string | undefined;
  /** By the server that it comes from. */
  readonly charset?: string | undefined;
}

/** Several encodings fit a source, and give it different texts. */
export class UnclearEncodingError extends SourceError {
  readonly readings: readonly LikelyEncoding[];

  constructor(name: string, readings: readonly LikelyEncoding[]) {
    const lines = readings.map(({ encoding, line }) => `  ${encoding}: ${JSON.stringify(line)}`);
    const [{ encoding } = { encoding: 'windows-1252' }] = readings;
    super(
      `${name} is not UTF-8, and its encoding is not clear. It could be\n${lines.join('\n')}\nState the one that reads right: --encoding ${encoding}, or encoding: ${encoding} under input in the mapping.`,
    );
    this.readings = readings;
  }
}

const MARKS: readonly { readonly encoding: string; readonly mark: Buffer }[] = [
  { encoding: 'utf-32le', mark: Buffer.from([0xff, 0xfe, 0, 0]) },
  { encoding: 'utf-32be', mark: Buffer.from([0, 0, 0xfe, 0xff]) },
  { encoding: 'utf-16le', mark: Buffer.from([0xff, 0xfe]) },
  { encoding: 'utf-16be', mark: Buffer.from([0xfe, 0xff]) },
  { encoding: 'utf-8', mark: Buffer.from([0xef, 0xbb, 0xbf]) },
];

/** So many characters of UTF-8 for each place that is none are UTF-8 with damage… */
const SURELY_UTF8 = 4;
/** … and so many, unless the text costs less than a point for each such place as another encoding. */
const MAYBE_UTF8 = 0.1;

/** With fewer telling places than this, a larger sample is worth looking at. */
const MIN_PLACES = 50;

/**
 * The encoding of a source of which a sample is known: the one that is stated, or found.
 * @throws SourceError if what is stated contradicts its byte order mark
 */
export function findEncoding(
  name: string,
  sample: ByteSample,
  { encoding: given, charset }: StatedEncoding,
): FoundEncoding {
  if (given === undefined) return detectEncoding(name, sample, charset);
  const leavesOrderOpen = /^(utf|ucs)-?_?(16|32|2)$/i.test(given.trim());
  const marked = markOf(sample.bytes);
  const stated = encodingName(given);
  const encoding = leavesOrderOpen && marked?.slice(0, 6) === stated.slice(0, 6) ? marked : stated;
  checkMark(name, sample.bytes, encoding);
  return { encoding, notices: [] };
}

/**
 * Finds a source's encoding: by its byte order mark, by the zero bytes of UTF-16, by the well-formed
 * characters of UTF-8, by what its server says, or by the text that it would be.
 */
function detectEncoding(
  name: string,
  sample: ByteSample,
  charset: string | undefined,
): FoundEncoding {
  const marked = markOf(sample.bytes) ?? utf16Of(sample.bytes);
  if (marked !== undefined) return { encoding: marked, notices: [] };
  if (isWellFormed(sample.bytes, sample.whole)) return { encoding: 'utf-8', notices: [] };
  const all = checkUtf8(sample.bytes, sample.whole);
  if (all.characters >= SURELY_UTF8 * all.stray) return damagedUtf8(name);
  const text = wholeLines(sample);
  const telling = tellingLines(text);
  const readings = likelyReadings(telling);
  const [best, second] = readings;
  if (best === undefined) return damagedUtf8(name);
  const served = charset === undefined ? undefined : servedEncoding(charset);
  const sure = second === undefined ? best.encoding : undefined;
  if (served !== undefined && mayBe(text, served, sure)) {
    return { encoding: served, notices: [`${name} is read as ${served}, as its server says.`] };
  }
  const mayBeUtf8 = all.characters > 0 && all.characters >= MAYBE_UTF8 * all.stray;
  if (mayBeUtf8 && best.cost > checkUtf8(telling, true).stray) return damagedUtf8(name);
  const { encoding, language } = best;
  if (second !== undefined) return { encoding, notices: [], unclear: readings };
  const what = new Intl.DisplayNames('en', { type: 'language' }).of(language);
  return {
    encoding,
    notices: [
      `${name} is not UTF-8: it is read as ${encoding}, which makes ${what} of it. If letters come out wrong, state its encoding.`,
    ],
  };
}

function damagedUtf8(name: string): FoundEncoding {
  return {
    encoding: 'utf-8',
    notices: [
      `${name} is UTF-8, but some of its bytes are not: records are invalid where the mapping uses a field with such bytes. If it is in another encoding, state that.`,
    ],
  };
}

/** What a server says may be a name that nobody knows, or its default, which says nothing. */
function servedEncoding(charset: string): string | undefined {
  try {
    const encoding = encodingName(charset);
    return encoding === 'utf-8' ? undefined : encoding;
  } catch {
    return undefined;
  }
}

/** The last line of a part may be cut within a character. */
function wholeLines({ bytes, whole }: ByteSample): Buffer {
  return whole ? bytes : bytes.subarray(0, bytes.lastIndexOf('\n') + 1 || bytes.length);
}

/** Whether a sample doesn't tell: all of it is ASCII, or it holds few stray bytes and few of others. */
export function isOpen({ bytes, whole }: ByteSample): boolean {
  if (whole || markOf(bytes) !== undefined || utf16Of(bytes) !== undefined) return false;
  const { stray, characters } = checkUtf8(bytes, whole, MIN_PLACES);
  return (stray > 0 || characters === 0) && stray + characters < MIN_PLACES;
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
