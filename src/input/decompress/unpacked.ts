import type { RawInput } from '../raw-input.js';
import { takeSample } from '../sample.js';
import type { Detected } from '../source.js';
import { Expansion, passing } from './expansion.js';
import { gunzip } from './gunzip.js';
import { unzstd } from './unzstd.js';
import { isZstd } from './zstd-frame.js';

/** An input without the compression around it. */
export interface Unpacked {
  readonly compression: Detected['compression'];
  /** What bounds what comes out of it; `undefined` if it is not compressed, nor in an archive. */
  readonly expansion: Expansion | undefined;
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
  if (compression === null) {
    const { expansion } = raw;
    const same = (pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> => pieces;
    return { compression, expansion, look: raw.look, read: () => raw.read(), unpack: same };
  }
  let most = 0;
  const expansion =
    raw.expansion ??
    new Expansion({ name: raw.name, what: 'it', mostTimes: maxExpansion, bytes: () => most });
  const unpack = (pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> => {
    let read = 0;
    const counted = passing(pieces, (bytes) => {
      read += bytes;
      most = Math.max(most, read);
    });
    return passing(UNPACKERS[compression](counted), expansion.pass(raw));
  };
  return {
    compression,
    expansion,
    look: () => unpack(raw.look()),
    read: () => unpack(raw.read()),
    unpack,
  };
}

function compressionOf(bytes: Buffer): Detected['compression'] {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip';
  return isZstd(bytes) ? 'zstd' : null;
}
