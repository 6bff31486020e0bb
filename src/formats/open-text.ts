/** Opens text files: detects encoding, format, and where the records start. */
import { isAscii } from 'node:buffer';
import { unreadable } from '../input/broken-input.js';
import { ByteWindow } from '../input/byte-window.js';
import type { Decompressed } from '../input/decompress.js';
import { decodePieces, isUtf8Name, ReplacementCount } from '../input/encoding/decode.js';
import {
  type FoundEncoding,
  findEncoding,
  isInconclusive,
  UnclearEncodingError,
} from '../input/encoding/detect-encoding.js';
import { abortable, type ByteSample, readAll, takeSample } from '../input/pieces.js';
import type { RawInput } from '../input/raw-input.js';
import type { Chunk } from '../model/chunk.js';
import { SourceError } from '../model/errors.js';
import { RecordCutter } from './boundaries/cut-records.js';
import { csv } from './csv/format.js';
import type { DetectedText, Opened, ReadPass, TextFormat, TextSample } from './format.js';
import { FILE_FORMATS, TEXT_FORMATS } from './formats.js';
import { json, jsonl } from './json/format.js';
import type { SourceOptions } from './options.js';
import { assertSupportedText, refuseKnownFormats, StatedFormatError } from './refuse-formats.js';
import { xml } from './xml/format.js';

/** Data may precede the list in a document. */
const MAX_BEFORE_A_LIST = 8 * 1024 * 1024;
/** Sample size if the start of a file leaves the encoding open. */
const MAX_FOR_ENCODING = 8 * 1024 * 1024;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

interface StartOfText {
  readonly inside: Decompressed;
  readonly sample: ByteSample;
}

/**
 * Detects how to read a text.
 * @throws SourceError if it can't be read or is malformed
 */
export async function openText(
  raw: RawInput,
  { inside, sample }: StartOfText,
  options: SourceOptions,
): Promise<Opened> {
  const peek = (bytes: number): Promise<ByteSample> => takeSample(inside.peek(), bytes);
  refuseUnreadable(raw.name, sample);
  refuseKnownFormats(raw.name, sample.bytes);
  const { encoding, notices, unclear } = await encodingOf(raw, sample, options, peek);
  if (unclear !== undefined) throw new UnclearEncodingError(raw.name, unclear);
  const text = await decoded(raw.name, sample, encoding);
  assertSupportedText(raw.name, text.bytes);
  const format = textFormatOf(text, options);
  let detected = detect(format, text, options, sample);
  if (detected === 'need-more-data') {
    const larger = await decoded(raw.name, await peek(MAX_BEFORE_A_LIST), encoding);
    detected = format.detect(larger, options);
  }
  if (detected === 'need-more-data') throw noListYet(raw.name, options);
  const { start: _, end: __, ...found } = detected;
  const shownEncoding = raw.decoded ? null : encoding;
  let replaced = new ReplacementCount();
  return {
    ...found,
    divisible: isDivisible(raw, inside, format, encoding),
    detected: { encoding: shownEncoding },
    notices: [...notices, ...found.notices],
    byteOrderMark: text.mark > 0,
    remarks: () => replaced.remarks(raw.name, shownEncoding),
    cutChunks: (pass) => {
      const from = pass.span?.from.byte ?? 0;
      const read = raw.readFrom?.(from, pass.onBytes) ?? raw.read(pass.onBytes);
      const pieces = abortable(read, () => raw.close(), pass.signal);
      const decoded = decodePieces(inside.decompress(pieces), encoding);
      replaced = new ReplacementCount();
      const isUtf8 = isUtf8Name(encoding) && !raw.decoded;
      const window = new ByteWindow(isUtf8 ? decoded : replaced.counted(decoded), from);
      return cut(format, window, detected, pass);
    },
  };
}

/** A damaged sample may lack its header: then the damage is the reason. */
function detect(
  format: TextFormat,
  text: TextSample,
  options: SourceOptions,
  { failure }: ByteSample,
): ReturnType<TextFormat['detect']> {
  try {
    return format.detect(text, options);
  } catch (error) {
    throw failure === undefined ? error : unreadable(text.name, failure.error);
  }
}

/** A damaged file is read as far as possible, but there must be something. */
function refuseUnreadable(name: string, { bytes, failure }: ByteSample): void {
  if (failure === undefined || bytes.length > 0) return;
  throw unreadable(name, failure.error);
}

async function encodingOf(
  raw: RawInput,
  sample: ByteSample,
  options: SourceOptions,
  peek: (bytes: number) => Promise<ByteSample>,
): Promise<FoundEncoding> {
  const isKnown = raw.decoded || /^utf/i.test(options.encoding ?? '');
  // For a stream, a larger sample would have to be awaited and buffered.
  const more = !isKnown && isInconclusive(sample) && (raw.file !== null || !isAscii(sample.bytes));
  return await encodingIn(raw, more ? await peek(MAX_FOR_ENCODING) : sample, options);
}

async function encodingIn(
  raw: RawInput,
  sample: ByteSample,
  options: SourceOptions,
): Promise<FoundEncoding> {
  if (raw.decoded) return { encoding: 'utf-8', notices: [] };
  return await findEncoding(raw.name, sample, options.encoding);
}

async function decoded(name: string, sample: ByteSample, encoding: string): Promise<TextSample> {
  const bytes = await readAll(decodePieces([sample.bytes], encoding));
  const mark = BYTE_ORDER_MARK.equals(bytes.subarray(0, 3)) ? 3 : 0;
  return { name, bytes, mark, whole: sample.whole };
}

function textFormatOf(
  { name, bytes, mark, whole }: TextSample,
  { format: stated, records }: SourceOptions,
): TextFormat {
  const start = bytes.toString('utf8', mark).trimStart();
  if (stated !== undefined) return statedFormat(name, stated, start);
  const [, extension = ''] = /\.(\w+)(?:\.gz)?$/.exec(name.toLowerCase()) ?? [];
  const named = FILE_FORMATS.find(({ extensions }) => extensions.includes(extension))?.name;
  if (records !== undefined && !xml.text.recognise(start, named)) {
    // A single line is read as a document, piece by piece, unless others may follow.
    const likely = named ?? (whole ? json.name : undefined);
    return jsonl.text.recognise(start, likely) ? jsonl.text : json.text;
  }
  const found = TEXT_FORMATS.find(({ text }) => text.recognise(start, named));
  return (found ?? csv).text;
}

/** Binary formats were recognised before, so this isn't one, but may be its rejects. */
function statedFormat(name: string, stated: string, start: string): TextFormat {
  const { text, binary, rejects } = FILE_FORMATS.find((format) => format.name === stated) ?? {};
  if (text !== undefined) return text;
  const ofRejects = TEXT_FORMATS.find((format) => format.name === rejects && !format.hasColumns);
  if (ofRejects?.text.recognise(start, undefined)) return ofRejects.text;
  const what = `${name} is not ${binary?.label}, judging by its first bytes`;
  throw new StatedFormatError({ what, stated, remedy: 'set the right one' });
}

function noListYet(name: string, { records }: SourceOptions): SourceError {
  const what = records === undefined ? 'list of records' : `list at ${records}`;
  return new SourceError(
    `${name} has no ${what} in its first ${MAX_BEFORE_A_LIST / 1024 / 1024} MiB: check the path, or turn the list into JSON Lines.`,
  );
}

function isDivisible(
  raw: RawInput,
  { compression }: Decompressed,
  format: TextFormat,
  encoding: string,
): boolean {
  const isPlain = raw.readFrom !== undefined && compression === null && isUtf8Name(encoding);
  return isPlain && format.divisible;
}

async function* cut(
  format: TextFormat,
  window: ByteWindow,
  { start: first, end = Number.POSITIVE_INFINITY, tail }: DetectedText,
  { source, limits, span }: ReadPass,
): AsyncGenerator<Chunk, void, undefined> {
  const start = span?.from ?? first;
  const to = Math.min(span?.to ?? end, end);
  try {
    await window.skip(start.byte - window.offset);
    const cutting = { source, limits, start, to, tail };
    const linesIn = format.linesIn?.(source.layout);
    yield* new RecordCutter(window, cutting, format.scanner(cutting), linesIn).cut();
  } finally {
    await window.close();
  }
}

/** Finds paths of lists of objects in the start of a text, shallowest first. */
export async function listsInText(
  raw: RawInput,
  inside: Decompressed,
  options: SourceOptions,
): Promise<readonly string[]> {
  const sample = await takeSample(inside.peek(), MAX_BEFORE_A_LIST);
  const { encoding } = await encodingIn(raw, sample, options);
  const text = await decoded(raw.name, sample, encoding);
  return textFormatOf(text, options).lists?.(text.bytes.subarray(text.mark)) ?? [];
}
