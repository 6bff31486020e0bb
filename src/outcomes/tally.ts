import {
  type Counts,
  NO_COUNTS,
  type Place,
  type Problem,
  type SkipCount,
  type SkippedBy,
} from '../model/record.js';
import {
  type CauseFigures,
  type ProblemGroup,
  type ProblemSummary,
  ProblemTally,
} from './problem-tally.js';
import { ReadingOrder } from './reading-order.js';

/** Records that were skipped for one reason. */
export interface SkipReport {
  /** The reason in words, for example `Status is "deleted"`. */
  readonly condition: string;
  readonly records: number;
  /** Line of the condition in the mapping's file; `null` if unknown or if no condition skips them. */
  readonly mappingLine: number | null;
}

/** Neighbouring records of one source: numbers from 1, both inclusive. */
export interface UnknownRecords {
  readonly source: string;
  readonly from: number;
  readonly to: number;
}

export interface TallySnapshot {
  readonly counts: Counts;
  /** Counts by input, by its number in the run, from 0. */
  readonly inputs: readonly (readonly [input: number, counts: Counts])[];
  readonly problems: ProblemSummary;
  readonly unknown: readonly UnknownRecords[];
  readonly skips: readonly SkipCount[];
}

/**
 * Counts outcomes, skipped records, and problems (see {@link ProblemTally}), in bounded memory. The
 * figures don't depend on how records are split over tallies that are merged.
 */
export class Tally {
  readonly #counts = { ...NO_COUNTS } as Record<keyof Counts, number>;
  readonly #inputs = new Map<number, Record<keyof Counts, number>>();
  readonly #problems: ProblemTally;
  readonly #order: ReadingOrder;
  readonly #unknown: UnknownRecords[] = [];
  readonly #skips = new Map<SkippedBy, number>();

  /** @param sources names of the sources in reading order; unknown ones sort last, by name */
  constructor(sources: readonly string[] = []) {
    this.#order = new ReadingOrder(sources);
    this.#problems = new ProblemTally(this.#order);
  }

  /** @param input its number, from 0 */
  add(input: number, figure: keyof Counts, records: number): void {
    const counts = this.#inputs.get(input) ?? { ...NO_COUNTS };
    this.#inputs.set(input, counts);
    counts[figure] += records;
    this.#counts[figure] += records;
  }

  /**
   * Adds skipped records.
   * @returns the number of all of them
   */
  addSkipped(input: number, skips: readonly SkipCount[]): number {
    const records = skips.reduce((sum, [, number]) => sum + number, 0);
    this.add(input, 'skipped', records);
    this.#addSkips(skips);
    return records;
  }

  #addSkips(skips: readonly SkipCount[]): void {
    for (const [by, records] of skips) this.#skips.set(by, (this.#skips.get(by) ?? 0) + records);
  }

  /** Skipped records, as in {@link TallySnapshot}. */
  skips(): readonly SkipCount[] {
    return [...this.#skips];
  }

  /** Adds all problems of a record. */
  addProblems(place: Place, problems: readonly Problem[]): void {
    this.#problems.add(place, problems);
  }

  /** The most frequent kind first. */
  problems(): readonly ProblemGroup[] {
    return this.#problems.groups();
  }

  /** Those whose cure brings the most records first. */
  causes(): readonly CauseFigures[] {
    return this.#problems.causes();
  }

  addUnknown(source: string, { from, to }: Pick<UnknownRecords, 'from' | 'to'>): void {
    addRange(this.#unknown, { source, from, to });
  }

  /** Records whose outcome is unknown, as ranges in reading order. */
  unknownRecords(): readonly UnknownRecords[] {
    const joined: UnknownRecords[] = [];
    const sorted = this.#unknown.toSorted(
      (a, b) => this.#order.compareSources(a, b) || a.from - b.from,
    );
    for (const range of sorted) addRange(joined, range);
    return joined;
  }

  counts(): Counts {
    return { ...this.#counts };
  }

  /** @param input its number, from 0 */
  countsOf(input: number): Counts {
    return { ...(this.#inputs.get(input) ?? NO_COUNTS) };
  }

  snapshot(): TallySnapshot {
    const inputs = [...this.#inputs].map(([input, counts]) => [input, { ...counts }] as const);
    const [counts, unknown] = [this.counts(), this.unknownRecords()];
    return {
      counts,
      inputs,
      unknown,
      problems: this.#problems.summary(),
      skips: this.skips(),
    };
  }

  /** Adds the figures of another tally of the same sources. */
  merge({ inputs, problems, unknown, skips }: TallySnapshot): void {
    for (const [input, counts] of inputs) {
      for (const [figure, records] of Object.entries(counts)) {
        this.add(input, figure as keyof Counts, records);
      }
    }
    this.#problems.merge(problems);
    this.#unknown.push(...unknown);
    this.#addSkips(skips);
  }
}

/** Adds a range, merged with the last one if they are neighbours. */
function addRange(ranges: UnknownRecords[], range: UnknownRecords): void {
  const last = ranges.at(-1);
  if (last?.source === range.source && last.to + 1 === range.from) {
    ranges[ranges.length - 1] = { ...last, to: range.to };
  } else {
    ranges.push(range);
  }
}
