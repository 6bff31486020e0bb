import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import type { Chunk } from '../model/chunk.js';
import { SourceBrokenError } from '../model/errors.js';
import type { RegularFile, Span } from '../model/source.js';
import { BrokenInput, unreadable } from './broken-input.js';
import { countingBytes } from './pieces.js';
import type { RawInput } from './raw-input.js';

const PIECE_BYTES = 512 * 1024;

/**
 * Opens a regular file for each peek and read, and closes it afterwards.
 * @param wantedMember name of the only archive member to read
 */
export function fileInput(
  name: string,
  file: RegularFile,
  wantedMember: string | null = null,
): RawInput {
  return {
    kind: 'bytes',
    name,
    size: file.size,
    file,
    isMember: false,
    wantedMember,
    decoded: false,
    peek: () => filePieces(file.path, 0),
    read: (onBytes) => countingBytes(filePieces(file.path, 0), onBytes),
    readFrom: (offset, onBytes) => countingBytes(filePieces(file.path, offset), onBytes),
    close: () => {},
  };
}

/**
 * Computes the SHA-256 of a span, in hex; of the bytes up to the end if the file is shorter.
 * @throws SourceError if the file can't be read
 */
export async function hashSpan(
  path: string,
  { from, to }: { readonly from: Pick<Span['from'], 'byte'>; readonly to: number },
): Promise<string> {
  const hash = createHash('sha256');
  let left = to - from.byte;
  try {
    for await (const piece of filePieces(path, from.byte)) {
      const inside = piece.subarray(0, left);
      hash.update(inside);
      left -= inside.length;
      if (left === 0) break;
    }
  } catch (error) {
    throw error instanceof BrokenInput ? unreadable(path, error) : error;
  }
  return hash.digest('hex');
}

async function* filePieces(
  path: string,
  offset: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await open(path).catch((error: unknown) => {
    throw readError(error);
  });
  let next = offset;
  // Read the next piece while this one is processed, alternating between two buffers.
  let [memory, spare] = [pieceMemory(), pieceMemory()];
  let reading = readAhead(file, next, memory);
  try {
    for (let piece = await reading; piece.length > 0; piece = await reading) {
      next += piece.length;
      [memory, spare] = [spare, memory];
      reading = readAhead(file, next, memory);
      yield piece;
    }
  } finally {
    await reading.catch(() => {});
    await file.close();
  }
}

function pieceMemory(): Buffer {
  return Buffer.allocUnsafeSlow(PIECE_BYTES);
}

/**
 * A failure is reported when the piece is awaited; until then it must not be an unhandled
 * rejection.
 */
function readAhead(file: FileHandle, offset: number, memory: Buffer): Promise<Uint8Array> {
  const reading = readPiece(file, offset, memory);
  reading.catch(() => {});
  return reading;
}

async function readPiece(file: FileHandle, offset: number, memory: Buffer): Promise<Uint8Array> {
  try {
    const { bytesRead } = await file.read(memory, 0, PIECE_BYTES, offset);
    return memory.subarray(0, bytesRead);
  } catch (error) {
    throw readError(error);
  }
}

function readError(error: unknown): BrokenInput {
  const { code, message } = error as NodeJS.ErrnoException;
  return new BrokenInput(
    `it can't be read (${code ?? message})`,
    'Make it readable, then start again.',
  );
}

/**
 * Passes chunks of a regular file through unless something writes to the file meanwhile. Holds the
 * last chunk back until the file is known to be unchanged, as its last record may be incomplete.
 * @throws SourceBrokenError if the file changed since it was opened, and errors of `chunks`
 */
export async function* unlessChanged(
  chunks: AsyncIterable<Chunk>,
  name: string,
  file: RegularFile,
): AsyncGenerator<Chunk, void, undefined> {
  if (await hasChanged(file)) throw changed(name);
  let last: Chunk | undefined;
  let failure: SourceBrokenError | undefined;
  try {
    for await (const chunk of chunks) {
      if (last !== undefined) yield last;
      last = chunk;
    }
  } catch (error) {
    if (!(error instanceof SourceBrokenError)) throw error;
    failure = error;
  }
  const now = await statsOf(file);
  // A file that was replaced was still read to its end, as it was open.
  if (now?.ino === file.inode && differs(now, file)) throw changed(name, last);
  if (last !== undefined) yield last;
  if (failure !== undefined) throw failure;
}

/** Returns whether the path now leads to another file or other content. */
export async function hasChanged(file: RegularFile): Promise<boolean> {
  const now = await statsOf(file);
  return now !== undefined && differs(now, file);
}

/** Returns `undefined` if the file is gone: opening it reports why. */
async function statsOf({ path }: RegularFile): Promise<Stats | undefined> {
  return await stat(path).catch(() => undefined);
}

function differs({ size, mtimeMs }: Stats, file: RegularFile): boolean {
  return size !== file.size || mtimeMs !== file.modifiedMs;
}

/** @param next first chunk that isn't used */
function changed(name: string, next?: Chunk): SourceBrokenError {
  const where =
    next === undefined
      ? ''
      : `, and reading stopped before record ${next.position.record} (line ${next.position.line})`;
  return new SourceBrokenError(
    `${name} changed while it was read${where}. Run this again once nothing writes to it: if runs are stored, accepted documents are skipped.`,
  );
}
