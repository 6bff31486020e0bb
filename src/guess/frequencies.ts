/** Counts equal values, the most frequent first. */
export function frequencies<T>(
  values: Iterable<T>,
): readonly (readonly [value: T, times: number])[] {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a);
}
