import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type RandomAccessReader, type ZipFile } from 'yauzl';
import { SourceError } from '../model/errors.js';
import { BrokenInput } from './broken-input.js';
import type { Decompressed } from './decompress/decompressed.js';
import { Expansion, passing } from './decompress/expansion.js';
import { inflateRaw, unzstd } from './decompress/zlib-streams.js';
import type { RawInput } from './raw-input.js';
import { type Seekable, SeekableInput } from './seekable.js';

/** A file in a zip archive. */
export interface Member {
  /** As the archive has it; it may look like a path, but nothing is ever written there. */
  readonly name: string;
  /** Bytes in the archive. */
  readonly compressedBytes: number;
  /** Bytes that it is said to have. */
  readonly statedBytes: number;
  /**
   * Its content.
   * @param counted is told how many compressed bytes have been read
   * @param expansion bounds what comes out of the archive
   * @throws BrokenInput if it is damaged, or larger than it may be
   */
  pieces(
    bytes: Seekable,
    expansion: Expansion | undefined,
    counted?: (bytes: number) => void,
  ): AsyncIterable<Uint8Array>;
}

/** A workbook has some dozen, an archive of exports some hundred. */
const MAX_MEMBERS = 10_000;
const PIECE_BYTES = 256 * 1024;
const REMEDY = 'Fetch the whole archive again, then run the import again.';

/**
 * The files in a zip archive, in its order; folders are none.
 * @throws SourceError if it is none, is cut off, or has too many
 */
export async function listMembers(name: string, bytes: Seekable): Promise<readonly Member[]> {
  const entries: Entry[] = [];
  for await (const entry of entriesOf(name, bytes)) {
    if (nameOf(entry).endsWith('/')) continue;
    if (entries.length === MAX_MEMBERS) {
      throw new SourceError(
        `${name} is an archive of more than ${MAX_MEMBERS} files: extract it, and name those that are to be read.`,
      );
    }
    entries.push(entry);
  }
  const ends = endsOf(name, entries, bytes.size);
  return entries.map((entry) => memberOf(entry, ends.get(entry) as number));
}

/**
 * Where each member has to end: where the next one begins. Members that share bytes can be made to
 * multiply what an archive holds.
 */
function endsOf(name: string, entries: readonly Entry[], size: number): ReadonlyMap<Entry, number> {
  const byPlace = entries.toSorted(
    (a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader,
  );
  return new Map(
    byPlace.map((entry, index) => {
      const next = byPlace[index + 1];
      const end = next?.relativeOffsetOfLocalHeader ?? size;
      if (next !== undefined && leastEnd(entry) > end) {
        throw new SourceError(
          `${name} is a zip archive whose files lie over one another (${nameOf(entry)} and ${nameOf(next)}), as no export does and bombs do: pack it again.`,
        );
      }
      return [entry, end];
    }),
  );
}

/** What the central directory tells; a member's own header may make it longer. */
function leastEnd({ relativeOffsetOfLocalHeader, fileNameRaw, compressedSize }: Entry): number {
  return relativeOffsetOfLocalHeader + LOCAL_HEADER_BYTES + fileNameRaw.length + compressedSize;
}

async function* entriesOf(name: string, bytes: Seekable): AsyncGenerator<Entry> {
  try {
    const zip: ZipFile = await yauzl.fromRandomAccessReaderPromise(readerOf(bytes), bytes.size, {
      autoClose: false,
      // Names are only shown, so that one which looks like a path does no harm.
      decodeStrings: false,
      validateEntrySizes: false,
    });
    yield* zip.eachEntry();
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError(
      `${name} is a zip archive whose central directory can't be read (${(error as Error).message}): it may be cut off, so fetch the whole archive again.`,
    );
  }
}

function readerOf(bytes: Seekable): RandomAccessReader {
  const { RandomAccessReader } = yauzl;
  class SeekableReader extends RandomAccessReader {
    override _readStreamForRange(start: number, end: number): Readable {
      return Readable.from(stretch(bytes, start, end));
    }
  }
  return new SeekableReader();
}

async function* stretch(bytes: Seekable, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end; at += PIECE_BYTES) {
    yield await bytes.read(at, Math.min(PIECE_BYTES, end - at));
  }
}

function nameOf(entry: Entry): string {
  const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
  return yauzl.getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
}

const STORED = 0;
const DECODERS: Readonly<
  Record<number, (pieces: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>>
> = { 8: inflateRaw, 93: unzstd };

function memberOf(entry: Entry, end: number): Member {
  return {
    name: nameOf(entry),
    compressedBytes: entry.compressedSize,
    statedBytes: entry.uncompressedSize,
    pieces(bytes, expansion, counted = () => {}) {
      const compressed = dataOf(bytes, entry, end, counted);
      const decompressed = decompressedData(compressed, entry);
      return checked(passing(decompressed, expansion?.pass(entry)), entry);
    },
  };
}

async function* decompressedData(
  compressed: AsyncIterable<Uint8Array>,
  { compressionMethod, generalPurposeBitFlag }: Entry,
): AsyncGenerator<Uint8Array> {
  if ((generalPurposeBitFlag & 1) !== 0) {
    throw new BrokenInput('it is encrypted', 'Extract it with its password first.');
  }
  const decode = DECODERS[compressionMethod];
  if (decode !== undefined) yield* decode(compressed);
  else if (compressionMethod === STORED) yield* compressed;
  else {
    throw new BrokenInput(
      `it is compressed in a way that can't be decompressed (method ${compressionMethod})`,
      'Decompress it first.',
    );
  }
}

const LOCAL_HEADER_BYTES = 30;
const LOCAL_HEADER = 0x04034b50;

async function* dataOf(
  bytes: Seekable,
  { relativeOffsetOfLocalHeader: at, compressedSize }: Entry,
  end: number,
  counted: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const header = await bytes.read(at, LOCAL_HEADER_BYTES);
  if (header.readUInt32LE(0) !== LOCAL_HEADER) {
    throw new BrokenInput('it is not where the archive says', REMEDY);
  }
  const start = at + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (start + compressedSize > end && end < bytes.size) {
    throw new BrokenInput('it lies over the next file of the archive', 'Pack the archive again.');
  }
  yield* passing(stretch(bytes, start, start + compressedSize), counted);
}

/** Compares what was decompressed with what the archive says of it. */
async function* checked(
  pieces: AsyncIterable<Uint8Array>,
  entry: Entry,
): AsyncGenerator<Uint8Array> {
  let sum = 0;
  let size = 0;
  for await (const piece of pieces) {
    sum = crc32(piece, sum);
    size += piece.length;
    yield piece;
  }
  if (size !== entry.uncompressedSize || sum !== entry.crc32) {
    throw new BrokenInput(
      'it is damaged: its checksum or size is not what the archive says',
      REMEDY,
    );
  }
}

/** A zip archive whose members are listed. */
export interface OpenedZip {
  readonly seekable: SeekableInput;
  readonly members: readonly Member[];
  /** Bounds what comes out of it. */
  readonly expansion: Expansion;
}

/**
 * Lists what a zip archive holds.
 * @param closing is given what releases what stays open
 * @throws SourceError, BrokenInput
 */
export async function openZip(
  raw: RawInput,
  inside: Decompressed,
  maxExpansion: number,
  closing: (() => void)[],
): Promise<OpenedZip> {
  const seekable = new SeekableInput(raw, inside);
  closing.push(() => seekable.done());
  const bytes = await seekable.open();
  try {
    const members = await listMembers(raw.name, bytes);
    const { size } = bytes;
    const compressed = {
      name: raw.name,
      what: 'the archive',
      mostTimes: maxExpansion,
      bytes: () => size,
    } as const;
    return { seekable, members, expansion: inside.expansion ?? new Expansion(compressed) };
  } finally {
    bytes.close();
  }
}

/** The members of an archive as inputs, under its name and theirs. */
export function memberInputs(
  archive: RawInput,
  seekable: SeekableInput,
  members: readonly Member[],
  expansion: Expansion,
): readonly RawInput[] {
  const open = new Set(members);
  const release = (member: Member): void => {
    open.delete(member);
    if (open.size === 0) seekable.done();
  };
  async function* pieces(
    member: Member,
    counted?: (bytes: number) => void,
  ): AsyncGenerator<Uint8Array> {
    const bytes = await seekable.open();
    try {
      yield* member.pieces(bytes, expansion, counted);
    } finally {
      bytes.close();
    }
  }
  return members.map((member) => ({
    kind: 'bytes',
    name: `${archive.name}/${member.name}`,
    size: member.compressedBytes,
    file: archive.file,
    isMember: true,
    expansion,
    decoded: false,
    peek: () => pieces(member),
    read: (counted) => pieces(member, counted),
    close: () => release(member),
  }));
}
