import type { RawInput } from '../raw-input.js';
import { takeSample } from '../sample.js';
import type { Detected } from '../source.js';
import { unpackWithin } from './expansion.js';
import { gunzip } from './gunzip.js';
import { unzstd } from './unzstd.js';
import { isZstd } from './zstd-frame.js';

/** An input without the compression around it. */
export interface Unpacked {
  readonly compression: Detected['compression'];
  /** The pieces from the start, to look at. */
  look(): AsyncIterable<Uint8Array>;
  /** The pieces from the start, to read, as {@link RawInput.read} gives them. */
  read(): AsyncIterable<Uint8Array>;
  /** Unpacks pieces of the input. */
  unpack(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

const UNPACKERS = { gzip: gunzip, zstd: unzstd } as const;

/**
 * Finds out how an input is packed, by its first bytes.
 * @param maxExpansion how many times its packed size it may have
 */
export async function unpacked(raw: RawInput, maxExpansion: number): Promise<Unpacked> {
  const compression = compressionOf((await takeSample(raw.look(), 4)).bytes);
  const unpack = (pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> =>
    compression === null ? pieces : unpackWithin(maxExpansion, pieces, UNPACKERS[compression]);
  return {
    compression,
    look: () => unpack(raw.look()),
    read: () => unpack(raw.read()),
    unpack,
  };
}

function compressionOf(bytes: Buffer): Detected['compression'] {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip';
  return isZstd(bytes) ? 'zstd' : null;
}
