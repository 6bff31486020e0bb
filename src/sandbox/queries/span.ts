import type { MinuteRange } from '../input/document-filter.js';

const MINUTE_MS = 60_000;

/**
 * The milliseconds since 1970 of a window, up to and without the second one. Both its ends count,
 * to the minute: an end at 10:30 takes in 10:30:59.
 */
export function spanOf({ start, end }: MinuteRange): readonly [from: number, before: number] {
  return [start, start < end ? end + MINUTE_MS : start];
}
