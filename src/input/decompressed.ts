import type { Detected } from '../model/source.js';
import type { RawInput } from './raw-input.js';
import { gunzip } from './zlib-streams.js';

export interface Decompressed {
  readonly compression: Detected['compression'];
  /** Reads from the start without consuming the input. */
  peek(): AsyncIterable<Uint8Array>;
  /** Reads from the start; like {@link RawInput.read}, a stream only once. */
  read(): AsyncIterable<Uint8Array>;
  decompress(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

/** Detects compression by the first bytes and wraps the input to decompress it. */
export function decompressed(raw: RawInput, start: Buffer): Decompressed {
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  const decompress = isGzip ? gunzip : (pieces: AsyncIterable<Uint8Array>) => pieces;
  return {
    compression: isGzip ? 'gzip' : null,
    peek: () => decompress(raw.peek()),
    read: () => decompress(raw.read()),
    decompress,
  };
}
