import { type FileHandle, open } from 'node:fs/promises';
import type { RegularFile } from '../model/source.js';
import { BrokenInput } from './broken-input.js';
import { passing } from './decompress/expansion.js';
import type { RawInput } from './raw-input.js';

const PIECE_BYTES = 512 * 1024;

/** A regular file: opened anew each time it is looked at or read, and closed when that ends. */
export function fileInput(name: string, file: RegularFile): RawInput {
  return {
    kind: 'bytes',
    name,
    size: file.size,
    file,
    isMember: false,
    decoded: false,
    look: () => filePieces(name),
    read: (counted) => passing(filePieces(name), counted),
    close: () => {},
  };
}

async function* filePieces(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await open(path).catch((error: unknown) => {
    throw unreadable(error);
  });
  // The next piece is read while this one is being cut.
  let reading = readAhead(file);
  try {
    for (let piece = await reading; piece.length > 0; piece = await reading) {
      reading = readAhead(file);
      yield piece;
    }
  } finally {
    await reading.catch(() => {});
    await file.close();
  }
}

/** A failure is seen when the piece is asked for; it must not count as one that nobody handles. */
function readAhead(file: FileHandle): Promise<Uint8Array> {
  const reading = readPiece(file);
  reading.catch(() => {});
  return reading;
}

async function readPiece(file: FileHandle): Promise<Uint8Array> {
  const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
  try {
    const { bytesRead } = await file.read(piece, 0, PIECE_BYTES);
    return bytesRead === PIECE_BYTES ? piece : piece.subarray(0, bytesRead);
  } catch (error) {
    throw unreadable(error);
  }
}

function unreadable(error: unknown): BrokenInput {
  const { code, message } = error as NodeJS.ErrnoException;
  return new BrokenInput(
    `it can't be read (${code ?? message})`,
    'Make it readable, then run the import again.',
  );
}
