/** Counts of values, in bounded memory. */
import { Buffer } from 'node:buffer';

const MAX_VALUES = 200;

/** State of {@link ValueCounts} as plain data. */
export interface CountsSummary {
  readonly counts: readonly (readonly [string, number])[];
  readonly other: number;
}

export interface Counted {
  readonly value: string;
  readonly count: number;
}

/** Counts the first different texts one by one, the rest together. */
export class ValueCounts {
  readonly #counts = new Map<string, { count: number }>();
  #other = 0;

  add(value: string, times = 1): void {
    const known = this.#counts.get(value);
    if (known !== undefined) known.count += times;
    else if (this.#counts.size >= MAX_VALUES) this.#other += times;
    else this.#counts.set(copyText(value), { count: times });
  }

  merge({ counts, other }: CountsSummary): void {
    for (const [value, times] of counts) this.add(value, times);
    this.#other += other;
  }

  summary(): CountsSummary {
    const counts = [...this.#counts].map(([value, { count }]) => [value, count] as const);
    return { counts, other: this.#other };
  }
}

/** V8 copies shorter parts of a text. */
const MIN_SHARED = 13;

/** Copies a text that may be a part of a chunk's, which would stay in memory as a whole. */
function copyText(value: string): string {
  if (value.length < MIN_SHARED) return value;
  return Buffer.from(value, 'utf16le').toString('utf16le');
}

/** Lists the most frequent first; the rest comes last, as `other values`. */
export function sortedCounts({ counts, other }: CountsSummary): readonly Counted[] {
  const counted = counts
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  return other === 0 ? counted : [...counted, { value: 'other values', count: other }];
}
