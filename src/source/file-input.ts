import { open } from 'node:fs/promises';
import { BrokenInput } from './broken-input.js';
import type { RawInput } from './raw-input.js';

const PIECE_BYTES = 256 * 1024;

/** A regular file: opened anew each time it is looked at or read, and closed when that ends. */
export function fileInput(name: string, size: number): RawInput {
  return {
    kind: 'bytes',
    name,
    size,
    decoded: false,
    look: () => filePieces(name),
    read: () => filePieces(name),
    close: () => {},
  };
}

async function* filePieces(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await open(path).catch((error: unknown) => {
    throw unreadable(error);
  });
  try {
    for (;;) {
      const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
      const { bytesRead } = await file.read(piece, 0, PIECE_BYTES).catch((error: unknown) => {
        throw unreadable(error);
      });
      if (bytesRead === 0) return;
      yield bytesRead === PIECE_BYTES ? piece : piece.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

function unreadable(error: unknown): BrokenInput {
  const { code, message } = error as NodeJS.ErrnoException;
  return new BrokenInput(
    `it can't be read (${code ?? message})`,
    'Make it readable, then run the import again.',
  );
}
