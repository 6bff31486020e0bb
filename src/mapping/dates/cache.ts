/** Caches a function's results by its argument; starts over when there are `max`. */
export function cached<Key, Result>(
  max: number,
  compute: (key: Key) => Result,
): (key: Key) => Result {
  const results = new Map<Key, Result>();
  return (key) => {
    const known = results.get(key);
    if (known !== undefined || results.has(key)) return known as Result;
    if (results.size >= max) results.clear();
    const result = compute(key);
    results.set(key, result);
    return result;
  };
}
