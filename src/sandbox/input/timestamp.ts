import { DateTime } from 'luxon';

const COMMON = /^\d{4}-\d{2}-(\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;
const STARTS_WITH_DAY = /^\d{4}-\d{2}-\d{2}(?:T|$)/;

/**
 * Milliseconds since 1970 of an ISO 8601 timestamp with a whole date; without an offset it counts
 * as UTC. `null` if it can't be read.
 */
export function readTimestamp(text: string): number | null {
  const day = COMMON.exec(text)?.[1];
  if (day !== undefined) {
    const milliseconds = Date.parse(text);
    // Date.parse takes 30 February for 1 March; days up to 28 are in every month.
    const exists = day <= '28' || new Date(milliseconds).getUTCDate() === Number(day);
    if (exists) return Number.isNaN(milliseconds) ? null : milliseconds;
  }
  if (!STARTS_WITH_DAY.test(text)) return null;
  const time = DateTime.fromISO(text, { zone: 'utc' });
  return time.isValid ? time.toMillis() : null;
}
