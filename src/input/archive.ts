/** Zip archives: the files in them, and what comes out of each. */
import { crc32 } from 'node:zlib';
import yauzl, { type Entry } from 'yauzl';
import { SourceError } from '../model/errors.js';
import type { Decompressed } from './decompress/decompressed.js';
import { Expansion } from './decompress/decompressed.js';
import { inflateRaw, unzstd } from './decompress/zlib-streams.js';
import { passing } from './pieces.js';
import { BrokenInput, type RawInput } from './raw-input.js';
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
   * @throws BrokenInput if it is damaged, or larger than it may be
   */
  pieces(counted?: (bytes: number) => void): AsyncIterable<Uint8Array>;
}

/** A zip archive whose members are listed. */
export interface OpenedZip {
  readonly seekable: SeekableInput;
  readonly members: readonly Member[];
  /** Bounds what comes out of it. */
  readonly expansion: Expansion;
}

/** A workbook has some dozen, an archive of exports some hundred. */
const MAX_MEMBERS = 10_000;
const PIECE_BYTES = 256 * 1024;
const REMEDY = 'Fetch the whole archive again, then run the import again.';

/**
 * Lists the files in a zip archive, in its order; folders are none.
 * @param closing is given what releases what stays open
 * @throws SourceError if it is none, is cut off, or has too many; BrokenInput
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
    const { size } = bytes;
    const compressed = { what: 'the archive', mostTimes: maxExpansion, bytes: () => size } as const;
    const expansion = inside.expansion ?? new Expansion(compressed);
    const entries = await listEntries(raw.name, bytes);
    const members = entries.map((entry) => ({
      name: nameOf(entry),
      compressedBytes: entry.compressedSize,
      statedBytes: entry.uncompressedSize,
      async *pieces(counted?: (bytes: number) => void) {
        const open = await seekable.open();
        try {
          const compressed = passing(dataOf(open, entry), counted);
          const content = decompressedData(compressed, entry);
          yield* checked(passing(content, expansion.pass(entry)), entry);
        } finally {
          open.close();
        }
      },
    }));
    return { seekable, members, expansion };
  } finally {
    bytes.close();
  }
}

async function listEntries(name: string, { descriptor }: Seekable): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  try {
    const zip = await yauzl.fromFdPromise(descriptor, {
      autoClose: false,
      // Names are only shown, so that one which looks like a path does no harm.
      decodeStrings: false,
      validateEntrySizes: false,
    });
    for await (const entry of zip.eachEntry()) {
      if (!nameOf(entry).endsWith('/')) entries.push(entry);
      if (entries.length > MAX_MEMBERS) break;
    }
  } catch (error) {
    throw new SourceError(
      `${name} is a zip archive whose central directory can't be read (${(error as Error).message}): it may be cut off, so fetch the whole archive again.`,
    );
  }
  if (entries.length <= MAX_MEMBERS) return entries;
  throw new SourceError(
    `${name} is an archive of more than ${MAX_MEMBERS} files: extract it, and name those that are to be read.`,
  );
}

function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  return yauzl.getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
}

const LOCAL_HEADER_BYTES = 30;
const LOCAL_HEADER = 0x04034b50;

async function* dataOf(
  bytes: Seekable,
  { relativeOffsetOfLocalHeader: at, compressedSize }: Entry,
): AsyncGenerator<Uint8Array> {
  const header = await bytes.read(at, LOCAL_HEADER_BYTES);
  if (header.readUInt32LE(0) !== LOCAL_HEADER) {
    throw new BrokenInput('it is not where the archive says', REMEDY);
  }
  const start = at + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  const behind = start + compressedSize;
  for (let from = start; from < behind; from += PIECE_BYTES) {
    yield await bytes.read(from, Math.min(PIECE_BYTES, behind - from));
  }
}

function decompressedData(
  compressed: AsyncIterable<Uint8Array>,
  { compressionMethod, generalPurposeBitFlag }: Entry,
): AsyncIterable<Uint8Array> {
  if ((generalPurposeBitFlag & 1) !== 0) {
    throw new BrokenInput('it is encrypted', 'Extract it with its password first.');
  }
  if (compressionMethod === 0) return compressed;
  if (compressionMethod === 8) return inflateRaw(compressed);
  if (compressionMethod === 93) return unzstd(compressed);
  throw new BrokenInput(
    `it is compressed in a way that can't be decompressed (method ${compressionMethod})`,
    'Decompress it first.',
  );
}

/** Compares what was decompressed with what the archive says of it. */
async function* checked(
  pieces: AsyncIterable<Uint8Array>,
  { uncompressedSize, crc32: stated }: Entry,
): AsyncGenerator<Uint8Array> {
  let sum = 0;
  let size = 0;
  for await (const piece of pieces) {
    sum = crc32(piece, sum);
    size += piece.length;
    yield piece;
  }
  if (size === uncompressedSize && sum === stated) return;
  throw new BrokenInput('it is damaged: its checksum or size is not what the archive says', REMEDY);
}

/** The members of an archive as inputs, under its name and theirs. */
export function memberInputs(
  archive: RawInput,
  { seekable, expansion }: OpenedZip,
  members: readonly Member[],
): readonly RawInput[] {
  const open = new Set(members);
  return members.map((member) => ({
    kind: 'bytes',
    name: `${archive.name}/${member.name}`,
    size: member.compressedBytes,
    file: archive.file,
    isMember: true,
    expansion,
    decoded: false,
    peek: () => member.pieces(),
    read: (counted) => member.pieces(counted),
    close() {
      open.delete(member);
      if (open.size === 0) seekable.done();
    },
  }));
}
