/** Counts equal values, the most frequent first. */
export function frequencies<T>(
  values: Iterable<T>,
): readonly (readonly [value: T, times: number])[] {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a);
}

/** Lead in score that a later candidate needs over an earlier one. */
export const MIN_LEAD = 0.1;

/** Chooses the candidate with the highest score; of about equal ones the first. */
export function likeliest<T>(
  candidates: readonly T[],
  scoreOf: (candidate: T) => number,
): T | undefined {
  const [first, ...others] = candidates;
  if (first === undefined) return undefined;
  return others.reduce(
    (best, one) => (scoreOf(one) > scoreOf(best) + MIN_LEAD ? one : best),
    first,
  );
}
