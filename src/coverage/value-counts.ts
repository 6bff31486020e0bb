/** How often each of a few values comes, in bounded memory. */

/** Different values that are counted one by one. */
const MAX_VALUES = 200;

/** What {@link ValueCounts} knows, as plain data. */
export interface CountsSummary {
  readonly counts: readonly (readonly [string, number])[];
  /** How often values came that are not counted one by one. */
  readonly other: number;
}

/** A value and how often it comes. */
export interface Counted {
  readonly value: string;
  readonly count: number;
}

/** Counts texts: the first 200 different ones each, the rest together. */
export class ValueCounts {
  readonly #counts = new Map<string, { count: number }>();
  #other = 0;

  add(value: string, times = 1): void {
    const known = this.#counts.get(value);
    if (known !== undefined) known.count += times;
    else if (this.#counts.size >= MAX_VALUES) this.#other += times;
    else this.#counts.set(value, { count: times });
  }

  merge({ counts, other }: CountsSummary): void {
    for (const [value, times] of counts) this.add(value, times);
    this.#other += other;
  }

  summary(): CountsSummary {
    const counts = [...this.#counts].map(([value, { count }]) => [value, count] as const);
    return { counts, other: this.#other };
  }

  /** The most frequent first; what is not counted one by one stands last, as `other values`. */
  counted(): readonly Counted[] {
    const counted = [...this.#counts].map(([value, { count }]) => ({ value, count }));
    counted.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
    return this.#other === 0
      ? counted
      : [...counted, { value: 'other values', count: this.#other }];
  }
}
