/** Shortens values for the page. */

/** Number of characters of a text, and of a list's entries, that are shown. */
const MAX_LENGTH = 4_000;
const MAX_ENTRIES = 2_000;
/** Nesting depth beyond which values are omitted. */
const MAX_DEPTH = 12;

/** Shortens values and counts how many it shortened. */
export class ValueShortener {
  #count = 0;

  /** Messages for the user; none if nothing was shortened. */
  get notices(): readonly string[] {
    if (this.#count === 0) return [];
    const values = this.#count === 1 ? '1 value is' : `${this.#count} values are`;
    return [`${values} longer than ${MAX_LENGTH} characters and shown shortened.`];
  }

  /** Returns a copy of the value with all texts and lists in it shortened. */
  value(value: unknown, depth: number = 0): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value !== 'object' || value === null) return value;
    // Exact numbers implement toJSON.
    if ('toJSON' in value) return this.value((value as { toJSON(): unknown }).toJSON(), depth);
    if (depth >= MAX_DEPTH) return this.#omitted();
    if (Array.isArray(value)) {
      const entries = value.slice(0, MAX_ENTRIES).map((entry) => this.value(entry, depth + 1));
      return value.length > MAX_ENTRIES ? [...entries, this.#omitted()] : entries;
    }
    const entries = Object.entries(value).map(([key, entry]) => [
      this.#text(key),
      this.value(entry, depth + 1),
    ]);
    return Object.fromEntries(entries);
  }

  #text(text: string): string {
    if (text.length <= MAX_LENGTH) return text;
    this.#count += 1;
    return `${text.slice(0, MAX_LENGTH)}…`;
  }

  #omitted(): string {
    this.#count += 1;
    return '…';
  }
}
