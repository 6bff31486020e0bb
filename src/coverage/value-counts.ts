/** Counts of values, in bounded memory. */

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

/** Counts the first 200 different texts one by one, the rest together. */
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

  /** The most frequent first; the rest comes last, as `other values`. */
  counted(): readonly Counted[] {
    const counted = [...this.#counts].map(([value, { count }]) => ({ value, count }));
    counted.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
    return this.#other === 0
      ? counted
      : [...counted, { value: 'other values', count: this.#other }];
  }
}

/** 50 years; with more, only years are counted. */
const MAX_MONTHS = 600;

/** State of {@link DateCounts} as plain data. */
export interface DatesSummary {
  readonly years: CountsSummary;
  /** Months, for example `2024-06`, with counts; `null` if there are too many. */
  readonly months: readonly (readonly [string, number])[] | null;
}

/** Counts dates by year, and by month unless there are too many. */
export class DateCounts {
  readonly #years = new ValueCounts();
  #months: Map<string, number> | undefined = new Map();

  /** @param date ISO 8601 in UTC */
  add(date: string): void {
    this.#years.add(date.slice(0, 4));
    // Years before 0 and after 9999 have another form, and are mistakes.
    if (date[4] === '-') this.#countMonth(date.slice(0, 7), 1);
  }

  merge({ years, months }: DatesSummary): void {
    this.#years.merge(years);
    if (months === null) this.#months = undefined;
    else for (const [month, times] of months) this.#countMonth(month, times);
  }

  summary(): DatesSummary {
    return {
      years: this.#years.summary(),
      months: this.#months === undefined ? null : [...this.#months],
    };
  }

  #countMonth(month: string, times: number): void {
    if (this.#months === undefined) return;
    this.#months.set(month, (this.#months.get(month) ?? 0) + times);
    if (this.#months.size > MAX_MONTHS) this.#months = undefined;
  }
}

/** In ascending order; empty if there are too many. */
export function monthsOf({ months }: DatesSummary): readonly Counted[] {
  return (months ?? [])
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => (a.value < b.value ? -1 : 1));
}
