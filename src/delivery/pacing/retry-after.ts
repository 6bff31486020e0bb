/** What an answer says about when to come back, as its header fields have it. */
export interface ComeBack {
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
export function retryAfterMs(comeBack: ComeBack, now: number): number | undefined {
  const text = comeBack.retryAfter?.trim() ?? '';
  if (SECONDS.test(text)) return Number(text) * 1000;
  const until = readDate(text);
  if (until === undefined) return undefined;
  return Math.max(0, until - (readDate(comeBack.date?.trim() ?? '') ?? now));
}

function readDate(text: string): number | undefined {
  if (!HTTP_DATE.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
