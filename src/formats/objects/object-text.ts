/**
 * A program's object as JSON, for what shows it as it came. What has no place in JSON is told as
 * text: long integers, and objects that hold themselves.
 */
export function objectText(object: unknown): string {
  try {
    return JSON.stringify(object, replacer()) ?? 'null';
  } catch {
    // Its own toJSON or a getter of it threw: nothing can be said of it.
    return 'null';
  }
}

function replacer(): (this: unknown, key: string, value: unknown) => unknown {
  const within: unknown[] = [];
  return function replace(_key, value) {
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null) return value;
    while (within.length > 0 && within.at(-1) !== this) within.pop();
    if (within.includes(value)) return '[circular]';
    within.push(value);
    return value;
  };
}
