import { type Counted, type CountsSummary, ValueCounts } from './value-counts.js';

/** 50 years of them; with more, the years must do. */
const MAX_MONTHS = 600;
const MONTHS = 12;

/** What {@link DateCounts} knows, as plain data. */
export interface DatesSummary {
  readonly years: CountsSummary;
  /** A month, counted from January of the year 0, and how often; `null`: there are too many. */
  readonly months: readonly (readonly [number, number])[] | null;
}

/** Counts dates by year, and by month as long as there are not too many. */
export class DateCounts {
  readonly #years = new Map<number, number>();
  /** Of dates before the year 0 and after 9999: they begin otherwise, and are mistakes. */
  readonly #others = new ValueCounts();
  #months: Map<number, number> | undefined = new Map();

  /** @param date ISO 8601 in UTC */
  add(date: string): void {
    const year = digits(date, 0, YEAR_DIGITS);
    if (year === undefined) {
      this.#others.add(date.slice(0, YEAR_DIGITS));
      return;
    }
    count(this.#years, year, 1);
    const month = digits(date, YEAR_DIGITS + 1, 2);
    if (month !== undefined) this.#countMonth(year * MONTHS + month - 1, 1);
  }

  merge({ years, months }: DatesSummary): void {
    this.#others.merge(years);
    if (months === null) this.#months = undefined;
    else for (const [month, times] of months) this.#countMonth(month, times);
  }

  summary(): DatesSummary {
    const years = new ValueCounts();
    years.merge(this.#others.summary());
    for (const [year, times] of this.#years) years.add(yearText(year), times);
    return {
      years: years.summary(),
      months: this.#months === undefined ? null : [...this.#months],
    };
  }

  #countMonth(month: number, times: number): void {
    if (this.#months === undefined) return;
    count(this.#months, month, times);
    if (this.#months.size > MAX_MONTHS) this.#months = undefined;
  }
}

/** In order; empty if there are too many. */
export function monthsOf({ months }: DatesSummary): readonly Counted[] {
  return (months ?? [])
    .toSorted(([a], [b]) => a - b)
    .map(([month, times]) => {
      const [year, inYear] = [Math.floor(month / MONTHS), (month % MONTHS) + 1];
      return { value: `${yearText(year)}-${String(inYear).padStart(2, '0')}`, count: times };
    });
}

const YEAR_DIGITS = 4;
const ZERO = 0x30;

/** Most dates begin with digits, which need not be cut out to be told apart. */
function digits(date: string, from: number, length: number): number | undefined {
  let number = 0;
  for (let at = from; at < from + length; at += 1) {
    const digit = date.charCodeAt(at) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return undefined;
    number = number * 10 + digit;
  }
  return number;
}

function count(counts: Map<number, number>, key: number, times: number): void {
  counts.set(key, (counts.get(key) ?? 0) + times);
}

function yearText(year: number): string {
  return String(year).padStart(YEAR_DIGITS, '0');
}
