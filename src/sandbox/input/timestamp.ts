import { DateTime } from 'luxon';

const COMMON = /^\d{4}-\d{2}-(\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;
const STARTS_WITH_DAY = /^\d{4}-\d{2}-\d{2}(?:T|$)/;

/** What the four digits of a year can say, in a cursor for example; in milliseconds since 1970. */
const FIRST_MOMENT = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Milliseconds since 1970 of an ISO 8601 timestamp with a whole date; without an offset it counts
 * as UTC. `null` if it can't be read, or if its year in UTC has not four digits.
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
  const milliseconds = time.isValid ? time.toMillis() : Number.NaN;
  return milliseconds >= FIRST_MOMENT && milliseconds <= LAST_MOMENT ? milliseconds : null;
}
