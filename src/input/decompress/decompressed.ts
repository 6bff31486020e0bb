import type { Detected } from '../../model/source.js';
import { passing } from '../pieces.js';
import { BrokenInput, type RawInput } from '../raw-input.js';
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
    raw.expansion ?? new Expansion({ what: 'it', mostTimes: maxExpansion, bytes: () => most });
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

/** So much may come out of any archive: what is small does no harm. */
const HARMLESS_BYTES = 64 * 1024 * 1024;
/** A compressed input, as its bound on expansion sees it. */
interface Compressed {
  readonly what: 'it' | 'the archive';
  /** How many times its compressed size it may have. */
  readonly mostTimes: number;
  /** How large it is, compressed; of a stream, as much as has been read. */
  readonly bytes: () => number;
}

/**
 * Holds how much may come out of a compressed input, so that a few bytes don't keep a run busy for
 * days. All that comes out of it counts, also of several members, and of what is compressed again
 * in them: against the size of the whole.
 */
export class Expansion {
  readonly #compressed: Compressed;
  /** How much has come out of each content; one that is read again counts once. */
  readonly #most = new Map<unknown, number>();
  #total = 0;

  constructor(compressed: Compressed) {
    this.#compressed = compressed;
  }

  /**
   * A content is read from its start: gives what is told of each piece that comes out.
   * @param content tells it from others of the same input
   */
  pass(content: unknown): (bytes: number) => void {
    let passed = 0;
    return (bytes) => {
      passed += bytes;
      const more = passed - (this.#most.get(content) ?? 0);
      if (more <= 0) return;
      this.#most.set(content, passed);
      this.#total += more;
      this.check(this.#total);
    };
  }

  /**
   * Checks a size that has come out, or is said to.
   * @throws BrokenInput if it is too large
   */
  check(total: number): void {
    const { what, mostTimes, bytes } = this.#compressed;
    if (total <= HARMLESS_BYTES || total <= bytes() * mostTimes) return;
    throw new BrokenInput(
      `decompressed, ${what} is more than ${mostTimes} times as large as compressed, as if it were made to fill disks`,
      'If it really is an export, decompress it and import the file that comes out (in the library, maxExpansion raises the limit).',
    );
  }
}
