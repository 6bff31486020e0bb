import type { Detected } from '../../model/source.js';
import { countingBytes } from '../pieces.js';
import type { RawInput } from '../raw-input.js';
import { Expansion } from './expansion.js';
import { gunzip } from './zlib-streams.js';

export interface Decompressed {
  readonly compression: Detected['compression'];
  /** Expansion limit; `undefined` if the input is neither compressed nor in an archive. */
  readonly expansion: Expansion | undefined;
  /** Reads from the start without consuming the input. */
  peek(): AsyncIterable<Uint8Array>;
  /** Reads from the start; like {@link RawInput.read}, a stream only once. */
  read(): AsyncIterable<Uint8Array>;
  decompress(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

/**
 * Detects compression by the first bytes and wraps the input to decompress it.
 * @param maxExpansion largest allowed ratio of decompressed to compressed size
 */
export function decompressed(raw: RawInput, start: Buffer, maxExpansion: number): Decompressed {
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  if (!isGzip) {
    const { expansion } = raw;
    const same = (pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> => pieces;
    return { compression: null, expansion, peek: raw.peek, read: () => raw.read(), decompress: same };
  }
  let compressedBytes = 0;
  const expansion =
    raw.expansion ??
    new Expansion({ subject: 'it', maxRatio: maxExpansion, bytes: () => compressedBytes });
  const decompress = (pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> => {
    let read = 0;
    const counted = countingBytes(pieces, (bytes) => {
      read += bytes;
      compressedBytes = Math.max(compressedBytes, read);
    });
    return countingBytes(gunzip(counted), expansion.pass(raw));
  };
  return {
    compression: 'gzip',
    expansion,
    peek: () => decompress(raw.peek()),
    read: () => decompress(raw.read()),
    decompress,
  };
}
