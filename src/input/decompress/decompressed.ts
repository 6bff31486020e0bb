import type { Detected } from '../../model/source.js';
import { passing } from '../pieces.js';
import type { RawInput } from '../raw-input.js';
import { Expansion } from './expansion.js';
import { gunzip, unzstd } from './zlib-streams.js';

/** An input without the compression around it. */
export interface Decompressed {
  readonly compression: Detected['compression'];
  /** What bounds what comes out of it; `undefined` if it is not compressed, nor in an archive. */
  readonly expansion: Expansion | undefined;
  /** The pieces from the start, to look at. */
  peek(): AsyncIterable<Uint8Array>;
  /** The pieces from the start, to read, as {@link RawInput.read} gives them. */
  read(): AsyncIterable<Uint8Array>;
  /** Decompresses pieces of the input. */
  decompress(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

const DECODERS = { gzip: gunzip, zstd: unzstd } as const;

/**
 * An input without the compression that its first bytes tell of.
 * @param maxExpansion how many times its compressed size it may have
 */
export function decompressed(raw: RawInput, start: Buffer, maxExpansion: number): Decompressed {
  const compression = compressionOf(start);
  if (compression === null) {
    const { expansion } = raw;
    const same = (pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> => pieces;
    return { compression, expansion, peek: raw.peek, read: () => raw.read(), decompress: same };
  }
  let most = 0;
  const expansion =
    raw.expansion ??
    new Expansion({ name: raw.name, what: 'it', mostTimes: maxExpansion, bytes: () => most });
  const decompress = (pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> => {
    let read = 0;
    const counted = passing(pieces, (bytes) => {
      read += bytes;
      most = Math.max(most, read);
    });
    return passing(DECODERS[compression](counted), expansion.pass(raw));
  };
  return {
    compression,
    expansion,
    peek: () => decompress(raw.peek()),
    read: () => decompress(raw.read()),
    decompress,
  };
}

function compressionOf(bytes: Buffer): Detected['compression'] {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip';
  const magic = bytes.length < 4 ? 0 : bytes.readUInt32LE(0);
  // The last four bits of a skippable frame's magic number are free (RFC 8878).
  return magic === 0xfd2fb528 || magic >>> 4 === 0x184d2a5 ? 'zstd' : null;
}
