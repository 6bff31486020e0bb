import { OptionError } from '../errors.js';
import type { SourceOptions } from './source.js';

/** How large chunks and records may become, in bytes. */
export interface Limits {
  readonly chunkBytes: number;
  readonly maxRecordBytes: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;
const LEAST = 64;
const MOST = 256 * MIB;

/** All defaults of reading stand here. */
export function limitsOf({ chunkBytes = 128 * KIB, maxRecordBytes = MIB }: SourceOptions): Limits {
  return {
    chunkBytes: size('chunkBytes', chunkBytes),
    maxRecordBytes: size('maxRecordBytes', maxRecordBytes),
  };
}

function size(name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= LEAST && value <= MOST) {
    return value;
  }
  throw new OptionError(
    `${name} is ${String(value)} (${typeof value}); expected a whole number of bytes from ${LEAST} to ${MOST}.`,
  );
}
