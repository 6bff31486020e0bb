import { DateTime } from 'luxon';

const COMMON = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;
const STARTS_WITH_DAY = /^\d{4}-\d{2}-\d{2}(?:T|$)/;

/**
 * Milliseconds since 1970 of an ISO 8601 timestamp with a whole date; without an offset it counts
 * as UTC. `null` if it can't be read.
 */
export function readTimestamp(text: string): number | null {
  if (COMMON.test(text)) {
    const milliseconds = Date.parse(text);
    // Date.parse takes 30 February for 1 March: only what reads back the same is a real time.
    if (same(milliseconds, text)) return milliseconds;
  }
  if (!STARTS_WITH_DAY.test(text)) return null;
  const time = DateTime.fromISO(text, { zone: 'utc' });
  return time.isValid ? time.toMillis() : null;
}

function same(milliseconds: number, text: string): boolean {
  if (Number.isNaN(milliseconds)) return false;
  return new Date(milliseconds).toISOString().startsWith(text.slice(0, 19));
}
