import type { Place } from '../model/record.js';

/** Order in which records are read: that of their sources, then that of their numbers. */
export class ReadingOrder {
  readonly #rank: ReadonlyMap<string, number>;

  /** @param sources names of the sources in reading order; unknown ones sort last, by name */
  constructor(sources: readonly string[]) {
    this.#rank = new Map(sources.map((name, index) => [name, index]));
  }

  compare(a: Place, b: Place): number {
    return this.compareSources(a, b) || a.record - b.record;
  }

  compareSources(a: Pick<Place, 'source'>, b: Pick<Place, 'source'>): number {
    if (a.source === b.source) return 0;
    const last = this.#rank.size;
    const byRank = (this.#rank.get(a.source) ?? last) - (this.#rank.get(b.source) ?? last);
    return byRank || compareTexts(a.source, b.source);
  }
}

/** Compares by code unit, so that a report doesn't depend on the system's language. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
