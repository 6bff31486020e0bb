/** Values for the page: as much of them as a person can read. */

/** About how much of records one answer holds, in UTF-16 code units. */
const MAX_ANSWER = 2_000_000;
const MAX_VALUE = 4_000;
const MIN_VALUE = 40;
/** Deeper than this nothing is shown. */
const MAX_DEPTH = 12;
const MAX_ENTRIES = 2_000;

/** Shortens values, and counts how many. */
export class Cut {
  readonly #most: number;
  /** How many values were shortened. */
  count = 0;

  /** @param values about how many the answer holds */
  constructor(values: number) {
    const share = Math.floor(MAX_ANSWER / Math.max(1, values));
    this.#most = Math.min(MAX_VALUE, Math.max(MIN_VALUE, share));
  }

  /** What to tell a person of it; `null` if nothing was shortened. */
  get notice(): string | null {
    if (this.count === 0) return null;
    const values = this.count === 1 ? '1 value is' : `${this.count} values are`;
    return `${values} longer than ${this.#most} characters, and shown only up to there.`;
  }

  /** A value with all texts in it shortened. */
  value(value: unknown, depth: number = 0): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null) return value;
    // Exact numbers say themselves what they are in JSON.
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
    if (text.length <= this.#most) return text;
    this.count += 1;
    return `${text.slice(0, this.#most)}…`;
  }

  #omitted(): string {
    this.count += 1;
    return '…';
  }
}
