import zlib, { type ZlibOptions } from 'node:zlib';
import { BrokenInput } from '../broken-input.js';
import { damaged, decompress, ZLIB_OPTIONS, type ZlibStream } from './zlib-stream.js';

/** Newer than the oldest supported Node.js, and than its types. */
interface Zstd {
  readonly createZstdDecompress?: (options: ZlibOptions) => ZlibStream;
  readonly zstdDecompressSync?: (bytes: Uint8Array) => Buffer;
}

const { createZstdDecompress, zstdDecompressSync } = zlib as Zstd;

/** Magic numbers (RFC 8878). The last four bits of a skippable frame's are free. */
const FRAME = 0xfd2fb528;
const SKIPPABLE_FRAME = 0x184d2a50;

/** Whether bytes start with a zstd frame. */
export function isZstd(bytes: Buffer): boolean {
  if (bytes.length < 4) return false;
  const magic = bytes.readUInt32LE(0);
  return magic === FRAME || (magic & 0xfffffff0) >>> 0 === SKIPPABLE_FRAME;
}

/**
 * Whether this Node.js has zstd, and reports truncated data: 22 and the first releases of 24 take it
 * for complete.
 */
export function supportsZstd(): boolean {
  const truncated = Buffer.alloc(6);
  truncated.writeUInt32LE(FRAME);
  try {
    zstdDecompressSync?.(truncated);
    return false;
  } catch {
    return true;
  }
}

/**
 * Decompresses zstd of one or several frames.
 * @throws BrokenInput if the data ends early, is damaged or needs too much memory, or if this
 *   Node.js doesn't support zstd
 */
export async function* unzstd(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (createZstdDecompress === undefined || !supportsZstd()) throw unsupported();
  yield* decompress(pieces, () => createZstdDecompress(ZLIB_OPTIONS), explain);
}

function unsupported(): BrokenInput {
  return new BrokenInput(
    `Node.js ${process.version} can't decompress zstd reliably, the latest 24 can`,
    'Decompress it first, or pipe it in: zstd -dc FILE | docferry import -',
  );
}

function explain(error: NodeJS.ErrnoException): BrokenInput {
  switch (error.code) {
    case 'ZSTD_error_frameParameter_windowTooLarge':
      return new BrokenInput(
        'its zstd data needs a window of more than 128 MiB',
        'Decompress it first (zstd -d --long=31), or compress it without --long and --ultra.',
      );
    case 'ZSTD_error_dictionary_wrong':
      return new BrokenInput(
        'its zstd data was compressed with a dictionary',
        'Decompress it with its dictionary first.',
      );
    default:
      return damaged('zstd', error);
  }
}
