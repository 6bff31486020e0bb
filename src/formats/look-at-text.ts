import { isAscii } from 'node:buffer';
import { BrokenInput, unreadable } from '../input/broken-input.js';
import type { Decompressed } from '../input/decompress/decompressed.js';
import { decodePieces } from '../input/encoding/decode.js';
import {
  checkMark,
  detectEncoding,
  type FoundEncoding,
  isOpen,
  markOf,
} from '../input/encoding/detect-encoding.js';
import { encodingName } from '../input/encoding/encoding-name.js';
import type { RawInput } from '../input/raw-input.js';
import { gather, type Sample, takeSample } from '../input/sample.js';
import { SourceError } from '../model/errors.js';
import type { SourceOptions } from '../model/source.js';
import { readTable, type TextSample, type Understood } from './csv/read-table.js';
import { detectFormat, type FileFormat } from './detect-format.js';
import { readDocument } from './json/read-document.js';
import { refuseKnownFormats, refuseOtherText } from './refuse-formats.js';

/** What looking at the start of a file has brought to light. */
export interface Looked {
  readonly understood: Understood;
  readonly encoding: string;
  /** Whether it came as text, so that its encoding is not known. */
  readonly decoded: boolean;
  /** What is to be said about the encoding. */
  readonly notices: readonly string[];
}

const SAMPLE_BYTES = 256 * 1024;
/** A list in a JSON document may be preceded by much else. */
const MOST_BEFORE_A_LIST = 8 * 1024 * 1024;
/** Where the start of a file leaves the encoding open. */
const MOST_FOR_ENCODING = 8 * 1024 * 1024;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Looks at the start of a file: its encoding, format, and where its records begin.
 * @throws SourceError if it can't be read or makes no sense
 */
export async function lookAt(
  raw: RawInput,
  decompressed: Decompressed,
  options: SourceOptions,
): Promise<Looked> {
  const look = (bytes: number): Promise<Sample> => takeSample(decompressed.look(), bytes);
  const sample = await look(SAMPLE_BYTES);
  refuseUnreadable(raw.name, sample);
  refuseKnownFormats(raw.name, sample.bytes);
  const { encoding, notices } = await encodingOf(raw, sample, options, look);
  const text = await decoded(raw.name, sample, encoding);
  refuseOtherText(raw.name, text.bytes);
  const format = detectFormat(raw.name, text.bytes.toString('utf8', text.mark), options);
  let understood = understand(format, text, options);
  if (understood === 'more') {
    const larger = await look(MOST_BEFORE_A_LIST);
    understood = understand(format, await decoded(raw.name, larger, encoding), options);
  }
  if (understood === 'more') throw noListYet(raw.name, options);
  return { understood, encoding, decoded: raw.decoded, notices };
}

/** What breaks off later is read as far as it goes, but something must be there. */
function refuseUnreadable(name: string, { bytes, failure }: Sample): void {
  if (failure === undefined || bytes.length > 0) return;
  const { error } = failure;
  if (!(error instanceof BrokenInput)) throw error;
  throw unreadable(name, error);
}

async function encodingOf(
  raw: RawInput,
  sample: Sample,
  options: SourceOptions,
  look: (bytes: number) => Promise<Sample>,
): Promise<FoundEncoding> {
  const isKnown = raw.decoded || options.encoding !== undefined;
  // Of a stream, all that is looked at would be waited for, and kept.
  const more = !isKnown && isOpen(sample) && (raw.file !== null || !isAscii(sample.bytes));
  return encodingIn(raw, more ? await look(MOST_FOR_ENCODING) : sample, options);
}

/**
 * The encoding of a file of which a sample is known: the one that is stated, or found.
 * @throws SourceError if what is stated contradicts its byte order mark
 */
export function encodingIn(raw: RawInput, sample: Sample, options: SourceOptions): FoundEncoding {
  if (raw.decoded) return { encoding: 'utf-8', notices: [] };
  if (options.encoding === undefined) return detectEncoding(raw.name, sample, options);
  const leavesOrderOpen = /^(utf|ucs)-?_?(16|32|2)$/i.test(options.encoding.trim());
  const marked = markOf(sample.bytes);
  const stated = encodingName(options.encoding);
  const encoding = leavesOrderOpen && marked?.slice(0, 6) === stated.slice(0, 6) ? marked : stated;
  checkMark(raw.name, sample.bytes, encoding);
  return { encoding, notices: [] };
}

async function decoded(name: string, sample: Sample, encoding: string): Promise<TextSample> {
  const bytes = await gather(decodePieces([sample.bytes], encoding));
  const mark = BYTE_ORDER_MARK.equals(bytes.subarray(0, 3)) ? 3 : 0;
  return { name, bytes, mark, whole: sample.whole };
}

function understand(
  format: FileFormat,
  sample: TextSample,
  options: SourceOptions,
): Understood | 'more' {
  switch (format) {
    case 'csv':
      return readTable(sample, options);
    case 'jsonl':
      return readLines(sample);
    case 'json':
      return readDocument(sample, options);
    default:
      return format satisfies never;
  }
}

function readLines({ name, bytes, mark, whole }: TextSample): Understood {
  const text = bytes.toString('utf8', mark);
  const empty = whole && text.trim() === '';
  return {
    layout: { format: 'jsonl' },
    head: Buffer.alloc(0),
    tail: Buffer.alloc(0),
    start: { byte: mark, record: 1, line: 1 },
    notices: [
      ...(empty ? [`${name} is empty: there are no records in it.`] : []),
      ...(startsLikeDocument(text) ? [documentNotice(name)] : []),
    ],
  };
}

/** A list, or an object whose first line is not the whole of it. */
function startsLikeDocument(text: string): boolean {
  return /^\s*(\[|\{\s*[\r\n])/.test(text);
}

function documentNotice(name: string): string {
  return `${name} does not start like JSON Lines: if it is one list, state the format json (--format json); if its objects go over several lines, write each on a line of its own.`;
}

function noListYet(name: string, { records }: SourceOptions): SourceError {
  const what = records === undefined ? 'list of records' : `list at ${records}`;
  return new SourceError(
    `${name} has no ${what} in its first ${MOST_BEFORE_A_LIST / 1024 / 1024} MiB: check the path, or turn the list into JSON Lines.`,
  );
}
