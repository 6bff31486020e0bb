import { checkOption, type OptionTable, option } from '../model/options.js';

/** How much is read at a time, and how large a record or a decompressed input may become. */
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
  /**
   * How long records of a stream or iterable may wait for others before they are sent, in
   * milliseconds; default 1,000.
   */
  readonly flushMs?: number;
}

/** {@link LimitOptions} with their defaults. */
export type Limits = Required<LimitOptions>;

const KIB = 1024;
const MIB = 1024 * KIB;

export const LIMIT_OPTIONS = {
  chunkBytes: { type: 'integer', min: 64, max: 256 * MIB, default: 256 * KIB },
  maxRecordBytes: option.integer('max-record-bytes', 'Bytes in the largest record', {
    min: 64,
    max: 256 * MIB,
    default: MIB,
  }),
  maxExpansion: option.number(
    'max-expansion',
    'How many times its compressed size an input may have',
    { min: 1, max: 1_000_000, default: 250 },
  ),
  flushMs: { type: 'integer', min: 0, max: 86_400_000, default: 1_000 },
} as const satisfies OptionTable<keyof LimitOptions>;

/** @throws OptionError for a limit out of range */
export function limitsOf({
  chunkBytes = LIMIT_OPTIONS.chunkBytes.default,
  maxRecordBytes = LIMIT_OPTIONS.maxRecordBytes.default,
  maxExpansion = LIMIT_OPTIONS.maxExpansion.default,
  flushMs = LIMIT_OPTIONS.flushMs.default,
}: LimitOptions): Limits {
  checkOption('chunkBytes', chunkBytes, LIMIT_OPTIONS.chunkBytes);
  checkOption('maxRecordBytes', maxRecordBytes, LIMIT_OPTIONS.maxRecordBytes);
  checkOption('maxExpansion', maxExpansion, LIMIT_OPTIONS.maxExpansion);
  checkOption('flushMs', flushMs, LIMIT_OPTIONS.flushMs);
  return { chunkBytes, maxRecordBytes, maxExpansion, flushMs };
}
