/**
 * libsql reads a text column only up to its first U+0000, and replaces lone surrogates. So texts
 * from outside are stored the way JSON writes them between its quotes: most texts are unchanged by
 * that, and no two texts become one.
 */
export function toStored(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The inverse of {@link toStored}. */
export function fromStored(stored: string): string {
  return JSON.parse(`"${stored}"`);
}
