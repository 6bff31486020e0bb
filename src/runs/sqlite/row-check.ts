import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';
import type { SqlValue } from './database.js';

/**
 * The check value of a row: a CRC-32, which finds every flipped bit and nearly all else that damage
 * does (all but one in 2³²). SQLite itself sees damage to its pages' structure, and not to what
 * stands in them.
 * @param before the check value of the row before, so that none can be missing in between
 */
export function rowCheck(values: readonly SqlValue[], before = 0): number {
  let check = before;
  for (const value of values) {
    const bytes = bytesOf(value);
    check = crc32(bytes, crc32(`${bytes.byteLength}:`, check));
  }
  return check;
}

function bytesOf(value: SqlValue): Uint8Array {
  return value instanceof Uint8Array ? value : Buffer.from(String(value));
}
