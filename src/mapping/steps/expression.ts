/** The regular expressions of mappings. Whoever ends one that takes too long can say which it was. */

let running: string | undefined;

/** An expression as a function; the flag `u` is always set. */
export function compileExpression<T>(
  source: string,
  flags: 'u' | 'gu',
  use: (pattern: RegExp, text: string) => T,
): (text: string) => T {
  const pattern = new RegExp(source, flags);
  return (text) => {
    running = source;
    const result = use(pattern, text);
    running = undefined;
    return result;
  };
}

/** The expression that was ended while it ran, since this was asked last. */
export function endedExpression(): string | undefined {
  const ended = running;
  running = undefined;
  return ended;
}
