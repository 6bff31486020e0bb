import type { DateTime } from 'luxon';
import type { SkippedTime, ToInstant } from './local-time.js';

/**
 * Has luxon read a text, and takes what the text says from there. By itself luxon moves a time
 * that a clock skips, and says nothing.
 * @param read how luxon reads it where clocks show the time of a zone
 */
export function throughLuxon(
  read: (zone: string) => DateTime,
  toInstant: ToInstant,
): number | SkippedTime | undefined {
  const date = read('UTC');
  if (!date.isValid) return undefined;
  const millis = date.toMillis();
  // A text with an offset of its own means the same everywhere.
  return read('UTC+1').toMillis() === millis ? millis : toInstant(millis);
}
