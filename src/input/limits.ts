import { OptionError } from '../model/errors.js';

/** In what portions an input is read. */
export interface LimitOptions {
  /** About how many bytes are handed on at a time; default 256 KiB, at least 64. */
  readonly chunkBytes?: number;
  /** Longer records are invalid; default 1 MiB, at least 64. */
  readonly maxRecordBytes?: number;
  /**
   * How many times its compressed size an input may have when it is decompressed; default 250, at least 1.
   * Looked at once more than 64 MiB have come out.
   */
  readonly maxExpansion?: number;
}

/** How large chunks and records may become, in bytes, and compressed data, in multiples of itself. */
export interface Limits {
  readonly chunkBytes: number;
  readonly maxRecordBytes: number;
  readonly maxExpansion: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;
const MIN = 64;
const MAX = 256 * MIB;
const MAX_TIMES = 1_000_000;

/** All defaults of reading stand here. */
export function limitsOf({
  chunkBytes = 256 * KIB,
  maxRecordBytes = MIB,
  maxExpansion = 250,
}: LimitOptions): Limits {
  return {
    chunkBytes: size('chunkBytes', chunkBytes),
    maxRecordBytes: size('maxRecordBytes', maxRecordBytes),
    maxExpansion: times('maxExpansion', maxExpansion),
  };
}

function times(name: string, value: unknown): number {
  if (typeof value === 'number' && value >= 1 && value <= MAX_TIMES) return value;
  throw new OptionError(
    `${name} is ${String(value)} (${typeof value}); expected a number from 1 to ${MAX_TIMES}.`,
  );
}

function size(name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= MIN && value <= MAX) {
    return value;
  }
  throw new OptionError(
    `${name} is ${String(value)} (${typeof value}); expected a whole number of bytes from ${MIN} to ${MAX}.`,
  );
}
