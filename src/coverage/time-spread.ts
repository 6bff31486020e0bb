/** Documents by when they were published, in bounded memory; as plain data, so that it crosses threads. */
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

/** State of a {@link TimeSpread} as plain data. */
export interface TimeSummary {
  readonly letters: number;
  readonly keys: readonly string[];
  /** The {@link Figures} of each key, one after another. */
  readonly figures: readonly number[];
}

interface Figures {
  documents: number;
  /** Number of them that have a score, and the sum of the scores. */
  scored: number;
  scores: number;
}

/** Letters of a date in ISO 8601 that name its year, month and day. */
const YEAR = 4;
const MONTH = 7;
export const DAY = 10;
/** Most keys of each length before shorter ones are used: of days, more than 60 weeks have. */
const MAX_KEYS: Readonly<Record<number, number>> = { [DAY]: 450, [MONTH]: 600 };
const MAX_YEARS = 200;
const OTHER_YEARS = 'other values';

/** Counts documents by day; with more than 450 days, by month; with more than 600 months, by year. */
export class TimeSpread {
  #letters: number;
  #entries = new Map<string, Figures>();

  /** @param letters fewer than a day's if it is known that there are too many days */
  constructor(letters: number = DAY) {
    this.#letters = letters;
  }

  static of(summary: TimeSummary): TimeSpread {
    const spread = new TimeSpread();
    spread.merge(summary);
    return spread;
  }

  add(published: string, score: number | undefined): void {
    // Years before 0 and after 9999 have another form, and are mistakes.
    const key = published.slice(0, published[YEAR] === '-' ? this.#letters : YEAR);
    const scored = score === undefined ? 0 : 1;
    this.#enter(key, 1, scored, score ?? 0);
  }

  merge({ letters, keys, figures }: TimeSummary): void {
    if (letters < this.#letters) this.#shorten(letters);
    for (const [at, key] of keys.entries()) {
      const [documents = 0, scored = 0, scores = 0] = figures.slice(at * 3, at * 3 + 3);
      // It may become shorter meanwhile.
      this.#enter(cut(key, this.#letters), documents, scored, scores);
    }
  }

  summary(): TimeSummary {
    const figures = [...this.#entries.values()].flatMap(({ documents, scored, scores }) => {
      return [documents, scored, scores];
    });
    return { letters: this.#letters, keys: [...this.#entries.keys()], figures };
  }

  /** Documents by year, in order. */
  years(): readonly Counted[] {
    return this.#counts(YEAR);
  }

  /** Documents by month, in order; empty if there are too many months. */
  months(): readonly Counted[] {
    return this.#letters < MONTH ? [] : this.#counts(MONTH).filter(isLong);
  }

  /**
   * Periods that have documents, in order. The unit gives at most 60 periods to nearly all documents:
   * single dates may be wrong.
   */
  periods(): readonly Period[] {
    const dated = [...this.#entries].filter(([key]) => isDate(key)).toSorted(byKey);
    const days = usualDays(dated);
    const possible = UNITS.filter((unit) => unit.letters <= this.#letters && days <= unit.maxDays);
    for (const { unit, from } of possible) {
      const periods = group(dated, from);
      if (periods.size > MAX_PERIODS && unit !== 'year') continue;
      return [...periods].slice(-MAX_PERIODS).map(([first, { documents, scored, scores }]) => {
        const meanScore = scored === 0 ? null : Number((scores / scored).toPrecision(4));
        return { from: first, unit, documents, meanScore };
      });
    }
    return [];
  }

  #counts(letters: number): readonly Counted[] {
    const grouped = group([...this.#entries].toSorted(byKey), (key) => cut(key, letters));
    return [...grouped].map(([value, { documents: count }]) => ({ value, count }));
  }

  #enter(key: string, documents: number, scored: number, scores: number): void {
    const entry = this.#entries.get(key) ?? this.#newEntry(key);
    entry.documents += documents;
    entry.scored += scored;
    entry.scores += scores;
    if (this.#entries.size > (MAX_KEYS[this.#letters] ?? Infinity)) {
      this.#shorten(this.#letters === DAY ? MONTH : YEAR);
    }
  }

  #newEntry(key: string): Figures {
    const isFull = this.#letters === YEAR && this.#entries.size >= MAX_YEARS;
    const name = isFull ? OTHER_YEARS : key;
    const entry = this.#entries.get(name) ?? { documents: 0, scored: 0, scores: 0 };
    this.#entries.set(name, entry);
    return entry;
  }

  #shorten(letters: number): void {
    this.#letters = letters;
    this.#entries = group(this.#entries, (key) => cut(key, letters));
  }
}

function cut(key: string, letters: number): string {
  return key === OTHER_YEARS ? key : key.slice(0, letters);
}

const MAX_PERIODS = 240;
/** Share of documents at either end to ignore when choosing the unit. */
const OUTLIERS = 0.01;
const DAY_MS = 86_400_000;

const UNITS = [
  { unit: 'day', letters: DAY, maxDays: 60, from: (key: string) => key },
  { unit: 'week', letters: DAY, maxDays: 60 * 7, from: mondayOf },
  {
    unit: 'month',
    letters: MONTH,
    maxDays: 60 * 30.5,
    from: (key: string) => firstDay(key, MONTH),
  },
  { unit: 'year', letters: YEAR, maxDays: Infinity, from: (key: string) => firstDay(key, YEAR) },
] as const;

function mondayOf(key: string): string {
  const day = new Date(key);
  return new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * DAY_MS).toISOString().slice(0, DAY);
}

function firstDay(key: string, letters: number): string {
  return `${key.slice(0, letters)}-01-01`.slice(0, DAY);
}

type Entry = readonly [key: string, figures: Figures];

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

/** Adds up neighbouring entries. */
function group(entries: Iterable<Entry>, keyOf: (key: string) => string): Map<string, Figures> {
  const groups = new Map<string, Figures>();
  for (const [key, { documents, scored, scores }] of entries) {
    const name = keyOf(key);
    const sum = groups.get(name) ?? { documents: 0, scored: 0, scores: 0 };
    groups.set(name, sum);
    sum.documents += documents;
    sum.scored += scored;
    sum.scores += scores;
  }
  return groups;
}

function byKey([one]: Entry, [other]: Entry): number {
  return one < other ? -1 : 1;
}

function isLong({ value }: Counted): boolean {
  return value.length === MONTH;
}

/** A user's own schema may allow other texts. */
function isDate(key: string): boolean {
  return /^\d{4}(?:-\d\d){0,2}$/.test(key) && !Number.isNaN(Date.parse(key));
}
