const MIN_BOUND_MS = 500;
const MAX_BOUND_MS = 30_000;

/**
 * Computes an exponential backoff with full jitter, in milliseconds.
 * @param failures previous failures in a row
 * @param random from 0 up to 1
 */
export function backoffMs(failures: number, random: number): number {
  return random * Math.min(MAX_BOUND_MS, MIN_BOUND_MS * 2 ** failures);
}

/** Response headers that state when to retry. */
interface RetryFields {
  /** `Retry-After`: seconds, or an HTTP date. */
  readonly retryAfter?: string;
  /** `Date`: the service's clock. */
  readonly date?: string;
}

const SECONDS = /^\d+(?:\.\d+)?$/;
/** Only dates with a zone: `Date.parse` would read other texts as local time, or as a year. */
const HTTP_DATE = /^[A-Za-z]{3,9}, .+ GMT$/;

/**
 * Reads `Retry-After` as milliseconds from the answer. A date is compared with the service's own
 * clock, if the answer has it.
 * @param now when the answer came, in milliseconds since 1970
 * @returns at least 0; `undefined` if the field is missing or unreadable
 */
export function retryAfterMs({ retryAfter, date }: RetryFields, now: number): number | undefined {
  const text = retryAfter?.trim() ?? '';
  if (SECONDS.test(text)) return Number(text) * 1000;
  const until = readDate(text);
  if (until === undefined) return undefined;
  return Math.max(0, until - (readDate(date?.trim() ?? '') ?? now));
}

function readDate(text: string): number | undefined {
  if (!HTTP_DATE.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
