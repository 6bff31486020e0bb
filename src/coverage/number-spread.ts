/** Distribution of numbers in bounded memory; as plain data, so that it crosses threads. */

/** Different numbers that are counted one by one; with more, bins are used. */
const MAX_VALUES = 32;
/** Ratio of neighbouring bins; quantiles are accurate to some 2 percent. */
const GAMMA = 1.04;
const LOG_GAMMA = Math.log(GAMMA);
/** Smaller numbers count as 0, which limits the number of bins to some 4,000. */
const SMALLEST = 1e-9;
const LARGEST = 1e24;
/**
 * Offset of bin numbers, so that bins of positive numbers are above 0 and bins of negative ones
 * below.
 */
const CENTRE = 10_000;

/** In percent. */
const QUANTILES = [5, 25, 50, 75, 95] as const;

/** State of a {@link NumberSpread} as plain data. */
export interface NumberSummary {
  readonly count: number;
  readonly sum: number;
  /** 0 if there are no numbers. */
  readonly least: number;
  readonly most: number;
  /** Whether `entries` has numbers instead of bins. */
  readonly exact: boolean;
  /** Numbers (or bins) and their counts, alternating. */
  readonly entries: readonly number[];
}

export interface NumberFigures {
  readonly count: number;
  readonly least: number;
  readonly most: number;
  readonly mean: number;
  /** Accurate to some 2 percent if there are more than 32 different numbers. */
  readonly quantiles: Readonly<Record<`p${(typeof QUANTILES)[number]}`, number>>;
  /** Each number with its count, if there are at most 32 different ones; else `null`. */
  readonly values: readonly { readonly value: number; readonly count: number }[] | null;
  /** Else at most 40 bins; `null` if there are `values`. */
  readonly bins: readonly NumberBin[] | null;
}

export class NumberSpread {
  #count = 0;
  #sum = 0;
  #least = Infinity;
  #most = -Infinity;
  #exact = true;
  #entries = new Map<number, number>();

  get count(): number {
    return this.#count;
  }

  add(given: number): void {
    // Turns -0 into 0, as JSON does.
    const number = given + 0;
    this.#count += 1;
    this.#sum += number;
    if (number < this.#least) this.#least = number;
    if (number > this.#most) this.#most = number;
    this.#enter(this.#exact ? number : binOf(number), 1);
  }

  merge({ count, sum, least, most, exact, entries }: NumberSummary): void {
    if (count === 0) return;
    this.#count += count;
    this.#sum += sum;
    this.#least = Math.min(this.#least, least);
    this.#most = Math.max(this.#most, most);
    if (!exact) this.#toBins();
    for (let at = 0; at < entries.length; at += 2) {
      const entry = entries[at] as number;
      this.#enter(exact && !this.#exact ? binOf(entry) : entry, entries[at + 1] as number);
    }
  }

  summary(): NumberSummary {
    const entries: number[] = [];
    for (const [entry, count] of this.#entries) entries.push(entry, count);
    return {
      count: this.#count,
      sum: this.#sum,
      // JSON has no Infinity.
      least: this.#count === 0 ? 0 : this.#least,
      most: this.#count === 0 ? 0 : this.#most,
      exact: this.#exact,
      entries,
    };
  }

  /** `null` if there are no numbers. */
  figures(): NumberFigures | null {
    if (this.#count === 0) return null;
    const sorted = [...this.#entries].toSorted(([a], [b]) => a - b);
    const quantiles = QUANTILES.map((share) => [`p${share}`, this.#quantile(sorted, share / 100)]);
    return {
      count: this.#count,
      least: this.#least,
      most: this.#most,
      mean: rounded(this.#sum / this.#count),
      quantiles: Object.fromEntries(quantiles) as NumberFigures['quantiles'],
      values: this.#exact ? sorted.map(([value, count]) => ({ value, count })) : null,
      bins: this.#exact ? null : this.#bins(sorted),
    };
  }

  /** Number at or below which the given share of all numbers lies. */
  #quantile(sorted: readonly (readonly [number, number])[], share: number): number {
    let left = Math.ceil(share * this.#count);
    for (const [entry, count] of sorted) {
      left -= count;
      if (left > 0) continue;
      const [low, high] = this.#exact ? [entry, entry] : edgesOf(entry);
      return rounded(this.#within((low + high) / 2));
    }
    return this.#most;
  }

  #bins(sorted: readonly (readonly [number, number])[]): readonly NumberBin[] {
    const ranges = sorted.map(([bin, count]): NumberRange => {
      const [low, high] = edgesOf(bin);
      return [this.#within(low), this.#within(high), count];
    });
    const usual = [this.#quantile(sorted, 0.01), this.#quantile(sorted, 0.99)] as const;
    return binsOf(ranges, [this.#least, this.#most], usual);
  }

  #within(number: number): number {
    return Math.min(this.#most, Math.max(this.#least, number));
  }

  #enter(entry: number, count: number): void {
    this.#entries.set(entry, (this.#entries.get(entry) ?? 0) + count);
    if (this.#exact && this.#entries.size > MAX_VALUES) this.#toBins();
  }

  #toBins(): void {
    if (!this.#exact) return;
    const values = this.#entries;
    this.#exact = false;
    this.#entries = new Map();
    for (const [value, count] of values) this.#enter(binOf(value), count);
  }
}

function binOf(number: number): number {
  const size = Math.min(Math.abs(number), LARGEST);
  if (size < SMALLEST) return 0;
  const bin = CENTRE + Math.ceil(Math.log(size) / LOG_GAMMA);
  return number < 0 ? -bin : bin;
}

function edgesOf(bin: number): readonly [number, number] {
  if (bin === 0) return [0, 0];
  const [inner, outer] = [Math.abs(bin) - CENTRE - 1, Math.abs(bin) - CENTRE].map(
    (power) => GAMMA ** power,
  ) as [number, number];
  return bin < 0 ? [-outer, -inner] : [inner, outer];
}

/** Rounds to four significant digits; the bins are less precise than that. */
function rounded(number: number): number {
  return Number(number.toPrecision(4));
}

/** Count of the numbers above `from` (the first bin includes it) and up to `to`. */
interface NumberBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Bounds and count of some numbers. */
type NumberRange = readonly [low: number, high: number, count: number];

const USUAL_BINS = 30;

/**
 * Makes bins of equal, round width where most numbers are, and one bin each for the rarer numbers
 * below and above. The counts add up to all numbers.
 * @param ranges in order
 * @param all the least and the largest number
 * @param most where nearly all numbers are; with the rarer ones, at most 40 bins
 */
function binsOf(
  ranges: readonly NumberRange[],
  [least, largest]: readonly [number, number],
  [from, to]: readonly [number, number],
): readonly NumberBin[] {
  const step = roundStep((to - from) / USUAL_BINS);
  const [low, high] = [Math.floor(from / step), Math.ceil(to / step)];
  const inner = Array.from({ length: high - low + 1 }, (_, at) => {
    return Number(((low + at) * step).toPrecision(DIGITS));
  });
  const edges = [least, ...inner.filter((edge) => edge > least && edge < largest), largest];
  return edges.slice(1).map((to, at) => {
    const from = edges[at] as number;
    return { from, to, count: countUpTo(ranges, to) - (at === 0 ? 0 : countUpTo(ranges, from)) };
  });
}

/** Significant digits of a bin's edge: few enough to round off errors of binary fractions. */
const DIGITS = 12;

/** Rounds up to 1, 2 or 5 times a power of ten. */
export function roundStep(step: number): number {
  if (!(step > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(step));
  return ([1, 2, 5].find((times) => times * power >= step * 0.999) ?? 10) * power;
}

/** Counts numbers up to a bound, assuming that they are spread evenly within a range. */
function countUpTo(ranges: readonly NumberRange[], number: number): number {
  let sum = 0;
  for (const [low, high, count] of ranges) {
    if (number >= high) sum += count;
    else if (number > low) sum += (count * (number - low)) / (high - low);
  }
  return Math.round(sum);
}
