/** Shortens values for the page. */

/** Approximate size of an answer's records, in UTF-16 code units. */
const MAX_ANSWER = 2_000_000;
const MAX_VALUE = 4_000;
const MIN_VALUE = 40;
/** Nesting depth beyond which values are omitted. */
const MAX_DEPTH = 12;
/** Number of a list's entries that are shown. */
const MAX_ENTRIES = 2_000;

/** Shortens values and counts how many it shortened. */
export class ValueShortener {
  readonly #maxLength: number;
  /** Number of values shortened so far. */
  count = 0;

  /** @param values approximate number of values in the answer */
  constructor(values: number) {
    const share = Math.floor(MAX_ANSWER / Math.max(1, values));
    this.#maxLength = Math.min(MAX_VALUE, Math.max(MIN_VALUE, share));
  }

  /** Messages for the user; none if nothing was shortened. */
  get notices(): readonly string[] {
    if (this.count === 0) return [];
    const values = this.count === 1 ? '1 value is' : `${this.count} values are`;
    return [`${values} longer than ${this.#maxLength} characters and shown shortened.`];
  }

  /** Returns a copy of the value with all texts in it shortened. */
  value(value: unknown, depth: number = 0): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null) return value;
    // Exact numbers implement toJSON.
    if ('toJSON' in value) return this.value((value as { toJSON(): unknown }).toJSON(), depth);
    if (depth >= MAX_DEPTH) return this.#omitted();
    if (Array.isArray(value)) {
      const entries = value.slice(0, MAX_ENTRIES).map((entry) => this.value(entry, depth + 1));
      return value.length > MAX_ENTRIES ? [...entries, this.#omitted()] : entries;
    }
    const entries = Object.entries(value).map(([key, entry]) => [
      this.text(key),
      this.value(entry, depth + 1),
    ]);
    return Object.fromEntries(entries);
  }

  text(text: string): string {
    if (text.length <= this.#maxLength) return text;
    this.count += 1;
    return `${text.slice(0, this.#maxLength)}…`;
  }

  #omitted(): string {
    this.count += 1;
    return '…';
  }
}
