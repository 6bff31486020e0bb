import { DateTime } from 'luxon';

const COMMON = /^\d{4}-\d{2}-(\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;
const STARTS_WITH_DAY = /^\d{4}-\d{2}-\d{2}(?:T|$)/;

/** Range of years with four digits, which cursors require; in milliseconds since 1970. */
const FIRST_MOMENT = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Reads an ISO 8601 timestamp with a complete date as milliseconds since 1970; without an offset it
 * is UTC. Returns `null` if it is invalid, or if its year in UTC doesn't have four digits.
 */
export function readTimestamp(text: string): number | null {
  const day = COMMON.exec(text)?.[1];
  if (day !== undefined) {
    const milliseconds = Date.parse(text);
    // Date.parse reads 30 February as 1 March; days up to 28 exist in every month.
    const exists = day <= '28' || new Date(milliseconds).getUTCDate() === Number(day);
    if (exists) return Number.isNaN(milliseconds) ? null : milliseconds;
  }
  if (!STARTS_WITH_DAY.test(text)) return null;
  const time = DateTime.fromISO(text, { zone: 'utc' });
  const milliseconds = time.isValid ? time.toMillis() : Number.NaN;
  return milliseconds >= FIRST_MOMENT && milliseconds <= LAST_MOMENT ? milliseconds : null;
}

/** Lists the timestamps of documents that can't be read, one sentence each. */
export function unreadableTimestamps(
  documents: readonly { readonly published?: string; readonly downloaded?: string }[],
): readonly string[] {
  return documents.flatMap((document, at) =>
    (['published', 'downloaded'] as const).flatMap((name) => {
      const text = document[name];
      if (text === undefined || readTimestamp(String(text)) !== null) return [];
      const found = JSON.stringify(String(text).slice(0, 60));
      return `documents[${at}].${name} is ${found}; expected a timestamp in ISO 8601, for example 2024-05-31T08:30:00Z.`;
    }),
  );
}
