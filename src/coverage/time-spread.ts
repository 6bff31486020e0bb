/** Documents by when they were published, in bounded memory; as plain data, so that it crosses threads. */
import type { Place } from '../model/record.js';
import type { Counted } from './value-counts.js';

/** Documents published within a day, a week from Monday, a month or a year. */
export interface Period {
  /** Its first day, for example `2024-06-03`. */
  readonly from: string;
  /** The same for all periods of a report. */
  readonly unit: 'day' | 'week' | 'month' | 'year';
  readonly documents: number;
  /** Mean of the metric `score`; `null` if no document has it. */
  readonly meanScore: number | null;
}

interface Sums {
  documents: number;
  /** How many of them have a score, and the sum of the scores. */
  scored: number;
  scores: number;
}

/** State of a {@link TimeSpread} as plain data. */
export interface TimeSummary {
  /** First and last date, as in the documents; empty if there is none. */
  readonly first: string;
  readonly last: string;
  /** Number of dates after the start of the run. */
  readonly inFuture: number;
  /** The first records with such a date. */
  readonly future: readonly DatedPlace[];
  /** Length of the keys: those of days, or of years. */
  readonly letters: number;
  /** Separated by blanks: threads pass on one text faster than a list. */
  readonly keys: string;
  /** Three numbers for each key: its {@link Sums}. */
  readonly sums: readonly number[];
}

/** A record with its date. */
export interface DatedPlace extends Place {
  readonly published: string;
}

const DATE = /^\d{4}-\d\d-\d\d/;
/** Letters of a date in ISO 8601 that name its year, and its day. */
const YEAR = 4;
const DAY = 10;
/** Most days before years are counted instead: more than there are in 60 months. */
const MAX_DAYS = 2000;

/** Counts documents by day; with more than 2,000 days, by year. */
export class TimeSpread {
  readonly #started: string;
  #letters = DAY;
  #sums = new Map<string, Sums>();
  #first = '';
  #last = '';
  #inFuture = 0;
  #future: readonly DatedPlace[] = [];

  /** @param started start of the run, ISO 8601 in UTC */
  constructor(started = '') {
    this.#started = started;
  }

  static of(summary: TimeSummary): TimeSpread {
    const spread = new TimeSpread();
    spread.merge(summary);
    return spread;
  }

  /** Ignores other texts, which a user's own schema may allow, and years before 0 and after 9999. */
  add(
    published: string,
    score: number | undefined,
    placeAt: (index: number) => Place,
    index: number,
  ): void {
    if (!DATE.test(published)) return;
    // ISO 8601 in UTC sorts as text.
    const isFuture = published > this.#started;
    const future = isFuture ? [{ ...placeAt(index), published }] : NO_PLACES;
    this.#extend(published, published, future.length, future);
    this.#add(published, 1, score === undefined ? 0 : 1, score ?? 0);
  }

  merge({ first, last, inFuture, future, letters, keys, sums }: TimeSummary): void {
    if (first === '') return;
    this.#extend(first, last, inFuture, future);
    if (letters === YEAR) this.#toYears();
    for (const [at, key] of keys.split(' ').entries()) {
      const from = 3 * at;
      this.#add(key, sums[from] as number, sums[from + 1] as number, sums[from + 2] as number);
    }
  }

  summary(): TimeSummary {
    const sums: number[] = [];
    for (const { documents, scored, scores } of this.#sums.values()) {
      sums.push(documents, scored, scores);
    }
    return {
      first: this.#first,
      last: this.#last,
      inFuture: this.#inFuture,
      future: this.#future,
      letters: this.#letters,
      keys: [...this.#sums.keys()].join(' '),
      sums,
    };
  }

  /** Documents by year, in order. */
  years(): readonly Counted[] {
    const years = group([...this.#sums].toSorted(byKey), yearOf);
    return [...years].map(([value, { documents }]) => ({ value, count: documents }));
  }

  /**
   * Periods that have documents, in order. The unit gives at most 60 periods to nearly all documents:
   * single dates may be wrong.
   */
  periods(): readonly Period[] {
    const dated = [...this.#sums].filter(([key]) => !Number.isNaN(Date.parse(key)));
    const sorted = dated.toSorted(byKey);
    const days = usualDays(sorted);
    const possible = UNITS.filter(({ maxDays }) => this.#letters === DAY && days <= maxDays);
    const last = { unit: 'year', from: (key: string) => `${yearOf(key)}-01-01` } as const;
    for (const { unit, from } of [...possible, last]) {
      const periods = group(sorted, from);
      if (periods.size > MAX_PERIODS && unit !== 'year') continue;
      return [...periods].slice(-MAX_PERIODS).map(([first, { documents, scored, scores }]) => {
        const meanScore = scored === 0 ? null : Number((scores / scored).toPrecision(4));
        return { from: first, unit, documents, meanScore };
      });
    }
    return [];
  }

  #extend(first: string, last: string, inFuture: number, future: readonly DatedPlace[]): void {
    if (this.#first === '' || first < this.#first) this.#first = first;
    if (last > this.#last) this.#last = last;
    this.#inFuture += inFuture;
    if (future.length > 0) this.#future = [...this.#future, ...future].slice(0, MAX_PLACES);
  }

  #add(date: string, documents: number, scored: number, scores: number): void {
    const key = date.slice(0, this.#letters);
    const sums = this.#sums.get(key);
    if (sums === undefined) this.#sums.set(key, { documents, scored, scores });
    else {
      sums.documents += documents;
      sums.scored += scored;
      sums.scores += scores;
    }
    if (this.#letters === DAY && this.#sums.size > MAX_DAYS) this.#toYears();
  }

  #toYears(): void {
    this.#letters = YEAR;
    this.#sums = group(this.#sums, yearOf);
  }
}

const NO_PLACES: readonly DatedPlace[] = [];
const MAX_PLACES = 25;
const MAX_PERIODS = 240;
/** Share of documents at either end to ignore when choosing the unit. */
const OUTLIERS = 0.01;
const DAY_MS = 86_400_000;

const UNITS = [
  { unit: 'day', maxDays: 60, from: (key: string) => key },
  { unit: 'week', maxDays: 60 * 7, from: mondayOf },
  { unit: 'month', maxDays: 60 * 30.5, from: (key: string) => `${key.slice(0, 7)}-01` },
] as const;

function mondayOf(key: string): string {
  const day = new Date(key);
  return new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * DAY_MS).toISOString().slice(0, DAY);
}

function yearOf(key: string): string {
  return key.slice(0, YEAR);
}

type Entry = readonly [key: string, sums: Sums];

/** Number of days between the first and the last document, without outliers. */
function usualDays(entries: readonly Entry[]): number {
  const all = entries.reduce((sum, [, { documents }]) => sum + documents, 0);
  const at = (share: number): number => {
    let left = Math.ceil(all * share);
    const found = entries.find(([, { documents }]) => {
      left -= documents;
      return left <= 0;
    });
    return Date.parse(found?.[0] ?? '');
  };
  return (at(1 - OUTLIERS) - at(OUTLIERS)) / DAY_MS + 1;
}

function group(entries: Iterable<Entry>, keyOf: (key: string) => string): Map<string, Sums> {
  const groups = new Map<string, Sums>();
  for (const [key, { documents, scored, scores }] of entries) {
    const sums = groups.get(keyOf(key)) ?? { documents: 0, scored: 0, scores: 0 };
    sums.documents += documents;
    sums.scored += scored;
    sums.scores += scores;
    groups.set(keyOf(key), sums);
  }
  return groups;
}

function byKey([one]: Entry, [other]: Entry): number {
  return one < other ? -1 : 1;
}
