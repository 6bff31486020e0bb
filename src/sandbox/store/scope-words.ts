/**
 * Words that stand beside a document's own in the index of texts: its monitoring and the month in
 * which it was published. A common word is in hundreds of thousands of documents; asked for
 * together with these, only those of a few months are read.
 */
export const SCOPE_OF_DOCUMENT =
  "'m' || d.monitoring_id || ' p' || coalesce(strftime('%Y%m', d.published_ms / 1000.0, 'unixepoch'), '')";

/** In a longer window the months would cost more than they spare. */
const MOST_MONTHS = 24;
const MOST_MONITORINGS = 50;

/**
 * The part of a MATCH expression that holds for all documents of these monitorings and this window;
 * `undefined` if there is nothing to gain.
 * @param window milliseconds since 1970: from the first up to, and without, the last
 */
export function scopeExpression(
  monitorings: readonly number[],
  window: readonly [from: number, before: number] | undefined,
): string | undefined {
  const months = window && monthsBetween(...window);
  const parts = [
    monitorings.length <= MOST_MONITORINGS ? monitorings.map((id) => `m${id}`) : undefined,
    months && months.length > 0 && months.length <= MOST_MONTHS
      ? months.map((month) => `p${month}`)
      : undefined,
  ].filter((words) => words !== undefined);
  if (parts.length === 0) return undefined;
  return parts.map((words) => `(scope : (${words.join(' OR ')}))`).join(' AND ');
}

/** Months as `202405`; at most one more than {@link MOST_MONTHS}. */
function monthsBetween(from: number, before: number): string[] {
  const months: string[] = [];
  const at = new Date(from);
  at.setUTCDate(1);
  at.setUTCHours(0, 0, 0, 0);
  while (at.getTime() < before && months.length <= MOST_MONTHS) {
    months.push(at.toISOString().replace(/\D/g, '').slice(0, 6));
    at.setUTCMonth(at.getUTCMonth() + 1);
  }
  return months;
}
