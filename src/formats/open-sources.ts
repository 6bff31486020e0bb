import { BrokenInput, unreadable } from '../input/broken-input.js';
import { type Decompressed, decompressed } from '../input/decompress.js';
import { unlessChanged } from '../input/file-input.js';
import { type OpenedInput, openInputs } from '../input/inputs.js';
import { type ByteSample, takeSample } from '../input/pieces.js';
import type { ObjectsInput, RawInput } from '../input/raw-input.js';
import { SeekableInput } from '../input/seekable.js';
import { about, InterruptedError, SourceError } from '../model/errors.js';
import { omitUndefined } from '../model/options.js';
import { rejectsDelimiter } from '../model/reject-columns.js';
import type { Input, Source } from '../model/source.js';
import type { ZipContent } from './archives.js';
import type { BinaryFile, BinaryFileFormat, Opened } from './format.js';
import { BINARY_FORMATS } from './formats.js';
import { openObjects } from './objects/format.js';
import { openText } from './open-text.js';
import { checkOptions, limitsOf, type SourceOptions } from './options.js';
import { StatedFormatError } from './refuse-formats.js';

/**
 * Samples each input and detects how to read it. Nothing stays open except streams, whose sample is
 * buffered, and temporary copies for random access.
 * @param signal ends the wait for inputs without data
 * @throws SourceError if an input is missing, unreadable or malformed
 * @throws OptionError for invalid options
 * @throws InterruptedError if the signal is aborted before all are open
 */
export async function openSources(
  input: Input,
  options: SourceOptions = {},
  signal?: AbortSignal,
): Promise<readonly Source[]> {
  checkOptions(options);
  const closing: (() => void)[] = [];
  try {
    const inputs = await openInputs(input, { ...options, signal });
    closing.push(
      ...inputs.map(
        ({ raw }) =>
          () =>
            raw.close(),
      ),
    );
    const found: FoundSource[] = [];
    for (const opened of inputs) found.push(...(await openInput(opened, options, closing)));
    return found.map((opened, index) => sourceOf(opened, index, options));
  } catch (error) {
    for (const close of closing) close();
    throw signal?.aborted ? new InterruptedError(signal) : error;
  }
}

interface FoundSource extends OpenedInput {
  readonly opened: Opened;
  readonly compression: Decompressed['compression'];
}

/**
 * Opens an input: an archive yields a source per member, a workbook one per sheet.
 * @param closing receives functions that release what stays open
 */
async function openInput(
  { raw, notices }: OpenedInput,
  options: SourceOptions,
  closing: (() => void)[],
): Promise<readonly FoundSource[]> {
  try {
    if (raw.kind === 'objects') {
      return [{ raw, notices, opened: openObjects(raw), compression: null }];
    }
    const found = await recognise(raw, options, closing);
    const { compression } = found.inside;
    if (found.kind === 'text') {
      const opened = await openFoundText(raw, found, options);
      return opened.map((one) => ({ raw, notices, opened: one, compression }));
    }
    if (found.kind === 'binary') {
      const { format, file } = found;
      const open = (stated: SourceOptions) => openBinary(format, file, stated);
      const [first, ...others] = await open(options).catch(async (error: unknown) => {
        const ofRejects = await openRejects(open, options);
        if (ofRejects === null) throw error;
        return ofRejects;
      });
      const common = { raw, compression };
      const rest = others.map((opened) => ({ ...common, notices: [], opened }));
      return first === undefined ? rest : [{ ...common, notices, opened: first }, ...rest];
    }
    const sources: FoundSource[] = [];
    for (const [index, member] of found.members.entries()) {
      const memberNotices = index === 0 ? [...notices, ...found.notices] : [];
      sources.push(...(await openInput({ raw: member, notices: memberNotices }, options, closing)));
    }
    return sources;
  } catch (error) {
    const failure = error instanceof BrokenInput ? unreadable(raw.name, error) : error;
    throw failure instanceof SourceError ? about(failure, raw.name) : failure;
  }
}

async function openFoundText(
  raw: RawInput,
  found: Recognised & { readonly kind: 'text' },
  options: SourceOptions,
): Promise<readonly Opened[]> {
  const open = async (stated: SourceOptions): Promise<readonly Opened[]> => [
    await openText(raw, found, stated).catch(async (error: unknown) => {
      if (!(error instanceof SourceError && found.sample.early)) throw error;
      // Retry with a full sample, as this one may be cut off.
      const sample = await takeSample(found.inside.peek(), SAMPLE_BYTES);
      return await openText(raw, { ...found, sample }, stated);
    }),
  ];
  const delimiter = rejectsDelimiter(found.sample.bytes);
  const ofRejects = delimiter === undefined ? null : await openRejects(open, options, delimiter);
  return ofRejects ?? (await open(options));
}

/**
 * Opens an input as a file of rejects, which is known by its columns; `null` if it isn't one. What a
 * mapping states of its exports may not hold for it: rejects of a workbook are CSV, and a spreadsheet may
 * have saved them in a dialect of its own, or as a workbook. So as few of the options as possible are
 * left out.
 * @param delimiter of a text
 */
async function openRejects(
  open: (options: SourceOptions) => Promise<readonly Opened[]>,
  stated: SourceOptions,
  delimiter?: string,
): Promise<readonly Opened[] | null> {
  const { format: _, sheet: _1, skipLines: _2, header: _3, records: _4, ...dialect } = stated;
  const { maxRecordBytes, chunkBytes, flushMs, nulls } = stated;
  const limits = { maxRecordBytes, chunkBytes, flushMs, nulls };
  for (const options of [stated, dialect, omitUndefined({ ...limits, delimiter })]) {
    const opened = await open(options).catch(() => []);
    if (opened.some(({ layout }) => layout.header === 'rejects')) return opened;
  }
  return null;
}

async function openBinary(
  { name, binary }: BinaryFileFormat,
  file: BinaryFile,
  options: SourceOptions,
): Promise<readonly Opened[]> {
  const { format } = options;
  if (format === undefined || format === name) return await binary.open(file, options);
  const what = `${file.name} is ${binary.label}`;
  throw new StatedFormatError({ what, stated: format, remedy: `set it to ${name}` });
}

function sourceOf(
  { raw, notices, opened, compression }: FoundSource,
  input: number,
  options: SourceOptions,
): Source {
  const { nulls } = options;
  const { cutChunks, remarks, ...own } = opened;
  const { name = raw.name, divisible = false } = own;
  const layout = nulls === undefined ? opened.layout : { ...opened.layout, nulls };
  const { columns, dialect } = layout;
  const { comment: _, ...marks } = dialect ?? { comment: null };
  const { file, size } = raw.kind === 'objects' ? { file: null, size: null } : raw;
  const limits = { ...limitsOf(options), flushMs: flushMsOf(raw, options) };
  let bytesRead = 0;
  return {
    head: NO_BYTES,
    byteOrderMark: false,
    tail: NO_BYTES,
    ...own,
    name,
    input,
    size,
    file,
    flushMs: limits.flushMs,
    divisible,
    layout,
    detected: {
      format: layout.format,
      encoding: null,
      compression,
      ...(columns === undefined ? {} : { columns }),
      ...marks,
      ...opened.detected,
    },
    notices: [...notices, ...opened.notices, ...readingNotices(name, opened)],
    remarks: () => remarks?.() ?? [],
    bytesRead: () => Math.round(bytesRead),
    chunks: (signal, span) => {
      if (span !== undefined && !divisible) throw new Error(`${name} can't be read in spans.`);
      bytesRead = 0;
      const onBytes = (bytes: number): void => {
        bytesRead += bytes;
      };
      const source = { source: name, input, layout };
      const read = cutChunks({ source, limits, onBytes, signal, span });
      return file === null ? read : unlessChanged(read, name, file);
    },
    close: () => (opened.close === undefined ? raw.close() : opened.close()),
  };
}

function readingNotices(name: string, { reading }: Opened): readonly string[] {
  const { notices = [], questions = [] } = reading ?? {};
  return [...notices, ...questions.map((question) => `${name}: ${question}.`)];
}

/** Files are always read in full chunks, so that they yield the same batches at any speed. */
function flushMsOf(raw: RawInput | ObjectsInput, options: SourceOptions): number {
  const isLive = raw.kind === 'objects' || raw.isLive === true;
  return isLive ? limitsOf(options).flushMs : Number.POSITIVE_INFINITY;
}

const NO_BYTES = new Uint8Array();

/** Detected kind of input: text with its start, a binary format, or an archive. */
export type Recognised = { readonly inside: Decompressed } & (
  | { readonly kind: 'text'; readonly sample: ByteSample }
  | ZipContent
);

/** Magic numbers of a zip archive: with members, empty, or split into parts. */
const ZIP_MAGIC: readonly string[] = ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'];
/** Longer than any magic number. */
const START_BYTES = 16;
/** Enough to detect encoding, format and header in one go. */
const SAMPLE_BYTES = 256 * 1024;

/**
 * Detects the kind of an input.
 * @param closing receives functions that release what stays open
 * @throws SourceError, BrokenInput
 */
export async function recognise(
  raw: RawInput,
  options: SourceOptions,
  closing: (() => void)[],
): Promise<Recognised> {
  const flushMs = flushMsOf(raw, options);
  const outside = await takeSample(raw.peek(), SAMPLE_BYTES, flushMs);
  const inside = decompressed(raw, outside.bytes);
  const isPlain = inside.compression === null;
  const sample = isPlain ? outside : await takeSample(inside.peek(), SAMPLE_BYTES, flushMs);
  const start = sample.bytes.toString('latin1', 0, START_BYTES);
  if (ZIP_MAGIC.includes(start.slice(0, 4))) {
    const [{ openZip }, { recogniseZip, zipLabel }] = await Promise.all([
      import('../input/archive.js'),
      import('./archives.js'),
    ]);
    const zip = await openZip(raw, inside, zipLabel(raw.name), closing);
    return { inside, ...recogniseZip(zip, raw, inside) };
  }
  if (raw.wantedMember) {
    throw new SourceError(
      `${raw.name} isn't a zip archive, so ${raw.wantedMember} can't be read from it: check the path.`,
    );
  }
  const format = BINARY_FORMATS.find(
    ({ binary: { magic } }) => magic !== undefined && start.startsWith(magic),
  );
  if (format === undefined) return { inside, kind: 'text', sample };
  const seekable = new SeekableInput(raw, inside);
  closing.push(() => seekable.release());
  const file = { name: raw.name, seekable, members: [] };
  return { inside, kind: 'binary', format, file };
}
