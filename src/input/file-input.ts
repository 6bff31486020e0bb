import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import type { Chunk } from '../model/chunk.js';
import { SourceBrokenError } from '../model/errors.js';
import type { RegularFile, Span } from '../model/source.js';
import { passing } from './pieces.js';
import { BrokenInput, type RawInput, unreadable } from './raw-input.js';

const PIECE_BYTES = 512 * 1024;

/**
 * A regular file: opened anew each time it is looked at or read, and closed when that ends.
 * @param wantedMember the only file of it that is to be read
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
    peek: () => filePieces(name, 0),
    read: (counted) => passing(filePieces(name, 0), counted),
    readFrom: (offset, counted) => passing(filePieces(name, offset), counted),
    close: () => {},
  };
}

/**
 * The SHA-256 of a span's bytes, in hex; of fewer in a file that ends before it.
 * @throws SourceError if the file can't be read
 */
export async function hashSpan(path: string, { from, to }: Span): Promise<string> {
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
    throw failed(error);
  });
  let next = offset;
  // The next piece is read while this one is being cut, into memory that is used in turn.
  let [memory, other] = [pieceMemory(), pieceMemory()];
  let reading = readAhead(file, next, memory);
  try {
    for (let piece = await reading; piece.length > 0; piece = await reading) {
      next += piece.length;
      [memory, other] = [other, memory];
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

/** A failure is seen when the piece is asked for; it must not count as one that nobody handles. */
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
    throw failed(error);
  }
}

function failed(error: unknown): BrokenInput {
  const { code, message } = error as NodeJS.ErrnoException;
  return new BrokenInput(
    `it can't be read (${code ?? message})`,
    'Make it readable, then run the import again.',
  );
}

/**
 * The chunks of a regular file, unless something writes to it meanwhile. The last chunk is held back
 * until the file is known to be unchanged: the record at its end may have been cut off.
 * @param name of the source
 * @throws SourceBrokenError if the file isn't as it was when it was opened; what reading throws
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
  // A file that was replaced by another was still read to its end: it was open.
  if (now?.ino === file.inode && isOther(now, file)) throw changed(name, last);
  if (last !== undefined) yield last;
  if (failure !== undefined) throw failure;
}

/** Whether a path leads to another file than when it was opened, or to other content. */
export async function hasChanged(file: RegularFile): Promise<boolean> {
  const now = await statsOf(file);
  return now !== undefined && isOther(now, file);
}

/** `undefined` if nothing is there: opening the file explains why. */
async function statsOf({ path }: RegularFile): Promise<Stats | undefined> {
  return await stat(path).catch(() => undefined);
}

function isOther({ size, mtimeMs }: Stats, file: RegularFile): boolean {
  return size !== file.size || mtimeMs !== file.modifiedMs;
}

/** @param next the first chunk that is not used */
function changed(name: string, next?: Chunk): SourceBrokenError {
  const where =
    next === undefined
      ? ''
      : `, and reading stopped before record ${next.position.record} (line ${next.position.line})`;
  return new SourceBrokenError(
    `${name} changed while it was read${where}. Run this again once nothing writes to it: where runs are kept, documents that were accepted are left out.`,
  );
}
