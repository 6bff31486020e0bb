/** Lists the files in a zip archive and decompresses them. */
import { crc32 } from 'node:zlib';
import yauzl, { type Entry } from 'yauzl';
import { SourceError } from '../model/errors.js';
import { BrokenInput } from './broken-input.js';
import type { Decompressed } from './decompress.js';
import { inflateRaw } from './decompress.js';
import { countingBytes } from './pieces.js';
import type { RawInput } from './raw-input.js';
import { type Seekable, SeekableInput } from './seekable.js';

export interface Member {
  /** As stored; it may look like a path, but is never used as one. */
  readonly name: string;
  /** Compressed size. */
  readonly compressedBytes: number;
  /**
   * Reads its content.
   * @param onBytes called with the number of compressed bytes read
   * @throws BrokenInput if it is damaged
   */
  pieces(onBytes?: (bytes: number) => void): AsyncIterable<Uint8Array>;
}

export interface OpenedZip {
  readonly seekable: SeekableInput;
  readonly members: readonly Member[];
}

/** A workbook has dozens of files, an archive of exports may have hundreds. */
const MAX_MEMBERS = 10_000;
const PIECE_BYTES = 256 * 1024;
const REFETCH = 'Download or copy the whole archive again.';
/** Message of yauzl for a file without its end. */
const NO_END = /^End of central directory record signature not found/;

/**
 * Lists the files in a zip archive, in its order, without folders.
 * @param what the file by its name, for example "a zip archive"
 * @param closing receives functions that release what stays open
 * @throws SourceError if it is damaged or cut off, or has too many files; BrokenInput
 */
export async function openZip(
  raw: RawInput,
  inside: Decompressed,
  what: string,
  closing: (() => void)[],
): Promise<OpenedZip> {
  const seekable = new SeekableInput(raw, inside);
  closing.push(() => seekable.release());
  const bytes = await seekable.open();
  try {
    const entries = await listEntries(`${raw.name} is ${what}`, bytes);
    const members = entries.map((entry) => ({
      name: memberName(entry),
      compressedBytes: entry.compressedSize,
      async *pieces(onBytes?: (bytes: number) => void) {
        const open = await seekable.open();
        try {
          const compressed = countingBytes(compressedData(open, entry), onBytes);
          yield* verify(decompressMember(compressed, entry), entry);
        } finally {
          open.close();
        }
      },
    }));
    return { seekable, members };
  } finally {
    bytes.close();
  }
}

/** @param subject start of a sentence about the file: `reviews.zip is a zip archive` */
async function listEntries(subject: string, { descriptor }: Seekable): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  try {
    const zip = await yauzl.fromFdPromise(descriptor, {
      autoClose: false,
      // Names are only displayed, so one that looks like a path is harmless.
      decodeStrings: false,
      validateEntrySizes: false,
    });
    for await (const entry of zip.eachEntry()) {
      if (!memberName(entry).endsWith('/')) entries.push(entry);
      if (entries.length > MAX_MEMBERS) break;
    }
  } catch (error) {
    const reason = (error as Error).message.replace(/\.$/, '');
    const fault = NO_END.test(reason)
      ? 'without its end: it was cut off'
      : `whose central directory is damaged (${reason})`;
    throw new SourceError(`${subject} ${fault}. Download or copy it again.`);
  }
  if (entries.length <= MAX_MEMBERS) return entries;
  throw new SourceError(
    `${subject} of more than ${MAX_MEMBERS} files: extract it and name the files to read.`,
  );
}

function memberName({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  return yauzl.getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
}

const LOCAL_HEADER_BYTES = 30;
const LOCAL_HEADER = 0x04034b50;

async function* compressedData(
  bytes: Seekable,
  { relativeOffsetOfLocalHeader: at, compressedSize }: Entry,
): AsyncGenerator<Uint8Array> {
  const header = await bytes.read(at, LOCAL_HEADER_BYTES);
  if (header.readUInt32LE(0) !== LOCAL_HEADER) {
    throw new BrokenInput('the archive gives a wrong position for it', REFETCH);
  }
  const start = at + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  const end = start + compressedSize;
  for (let from = start; from < end; from += PIECE_BYTES) {
    yield await bytes.read(from, Math.min(PIECE_BYTES, end - from));
  }
}

function decompressMember(
  compressed: AsyncIterable<Uint8Array>,
  { compressionMethod, generalPurposeBitFlag }: Entry,
): AsyncIterable<Uint8Array> {
  if ((generalPurposeBitFlag & 1) !== 0) {
    throw new BrokenInput('it is encrypted', 'Extract it with its password first.');
  }
  if (compressionMethod === 0) return compressed;
  if (compressionMethod === 8) return inflateRaw(compressed);
  throw new BrokenInput(
    `it uses compression method ${compressionMethod}, which isn't supported`,
    'Decompress it first.',
  );
}

/** Verifies the size and checksum that the archive states. */
async function* verify(
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
  throw new BrokenInput(
    'it is damaged: its checksum or size differs from the one in the archive',
    REFETCH,
  );
}

/** Opens members of an archive as inputs, named `archive.zip/member`. */
export function memberInputs(
  archive: RawInput,
  { seekable }: OpenedZip,
  members: readonly Member[],
): readonly RawInput[] {
  const open = new Set(members);
  return members.map((member) => ({
    kind: 'bytes',
    name: `${archive.name}/${member.name}`,
    size: member.compressedBytes,
    file: archive.file,
    isMember: true,
    decoded: false,
    peek: () => member.pieces(),
    read: (onBytes) => member.pieces(onBytes),
    close() {
      open.delete(member);
      if (open.size === 0) seekable.release();
    },
  }));
}
