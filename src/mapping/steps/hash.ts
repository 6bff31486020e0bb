import { createHash } from 'node:crypto';

/** Hexadecimal digits of an id: 128 bits. */
const DIGITS = 32;

/**
 * A stable id of several values; nothing when all are blank. The values are hashed as a JSON list,
 * so that the border between two of them counts. The result is part of the contract: it must never
 * change, or records imported before would be imported again.
 */
export function hashValues(parts: readonly (string | readonly string[])[]): string | undefined {
  if (parts.every((part) => part.length === 0)) return undefined;
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, DIGITS);
}
