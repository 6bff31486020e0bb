/**
 * Words that stand beside a document's own in the index of texts: its monitoring and the month in
 * which it was published. A common word is in hundreds of thousands of documents; asked for
 * together with these, only those of a few months are read.
 *
 * Each starts with a sign that the index takes for a letter and `words.ts` does not: no text has
 * such a word, and nobody can ask for one.
 */
export function scopeWords(monitoring: number, publishedMs: number): string {
  return `${ofMonitoring(monitoring)} ${ofMonth(new Date(publishedMs))}`;
}

/** What parts scope, title and text, so that no phrase reaches from one into another. */
export const BETWEEN_FIELDS = ' ¦ ';

/** In a longer window the months would cost more than they spare. */
const MAX_MONTHS = 24;
const MAX_MONITORINGS = 50;

/**
 * The part of a MATCH expression that holds for all documents of these monitorings and this window;
 * `undefined` if there is nothing to gain.
 * @param window milliseconds since 1970: from the first up to, and without, the last
 */
export function scopeExpression(
  monitorings: readonly number[],
  window: readonly [from: number, before: number] | undefined,
): string | undefined {
  const months = window ? monthsBetween(...window) : [];
  const parts = [
    monitorings.length <= MAX_MONITORINGS ? monitorings.map(ofMonitoring) : [],
    months.length <= MAX_MONTHS ? months : [],
  ].filter((words) => words.length > 0);
  if (parts.length === 0) return undefined;
  return parts.map((words) => `(${words.map((word) => `"${word}"`).join(' OR ')})`).join(' AND ');
}

/** The words of months; at most one more than {@link MAX_MONTHS}. */
function monthsBetween(from: number, before: number): string[] {
  const months: string[] = [];
  const at = new Date(from);
  at.setUTCDate(1);
  at.setUTCHours(0, 0, 0, 0);
  while (at.getTime() < before && months.length <= MAX_MONTHS) {
    months.push(ofMonth(at));
    at.setUTCMonth(at.getUTCMonth() + 1);
  }
  return months;
}

function ofMonitoring(id: number): string {
  return `¦m${id}`;
}

function ofMonth(time: Date): string {
  return `¦p${time.getUTCFullYear() * 100 + time.getUTCMonth() + 1}`;
}
