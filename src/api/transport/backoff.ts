const MIN_BOUND_MS = 500;
const MAX_BOUND_MS = 30_000;

/**
 * Exponential backoff with full jitter: how long to wait before trying again, in milliseconds.
 * @param failures how many in a row there were before this one
 * @param random from 0 up to 1
 */
export function backoffMs(failures: number, random: number): number {
  return random * Math.min(MAX_BOUND_MS, MIN_BOUND_MS * 2 ** failures);
}

/** What an answer says about when to come back, as its header fields have it. */
interface RetryFields {
  /** The field `Retry-After`: seconds, or an HTTP date. */
  readonly retryAfter?: string;
  /** The field `Date`: when the service says it answered. */
  readonly date?: string;
}

const SECONDS = /^\d+(?:\.\d+)?$/;
/** Only what names its zone: other texts `Date.parse` would read as local time, or as a year. */
const HTTP_DATE = /^[A-Za-z]{3,9}, .+ GMT$/;

/**
 * How long the service asks to be left alone, in milliseconds, from the moment of its answer.
 * A date is read against the service's own clock where the answer tells it.
 * @param now when the answer came, in milliseconds since 1970
 * @returns at least 0; `undefined` if it says nothing, or nothing that can be read
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
