import type { ImportedDocument } from '../model/document.js';
import type { RecordValue } from '../model/record.js';
import { ColumnFills, type FillsSummary } from './column-fill.js';
import { type FieldCoverage, FieldFills } from './field-fills.js';
import { NumberSpread, type NumberSummary } from './number-spread.js';
import { DAY, TimeSpread, type TimeSummary } from './time-spread.js';
import { type CountsSummary, ValueCounts } from './value-counts.js';

/**
 * Figures of some records and their documents, as plain data of a few kilobytes, which threads
 * return with each chunk.
 */
export interface SurveySummary {
  /** Valid documents, duplicates included. */
  readonly documents: number;
  readonly columns: FillsSummary;
  readonly fields: readonly FieldCoverage[];
  readonly metrics: readonly (readonly [string, NumberSummary])[];
  /** Length of `text` in characters. */
  readonly textLength: NumberSummary;
  readonly languages: CountsSummary;
  readonly sentiments: CountsSummary;
  readonly published: PublishedSummary;
}

export interface PublishedSummary {
  /** First and last date, as in the documents; empty if there is none. */
  readonly first: string;
  readonly last: string;
  /** Number of dates after the start of the run. */
  readonly inFuture: number;
  readonly times: TimeSummary;
}

/**
 * Facts about earlier chunks of a run that show what later ones needn't count, because it is too
 * much. The figures don't depend on them.
 */
export interface ReachedLimits {
  /** Values of each column. */
  readonly seen: Map<string, ValueCounts>;
  /** Length of the keys that dates are counted by. */
  letters: number;
}

export function noLimits(): ReachedLimits {
  return { seen: new Map(), letters: DAY };
}

/** Collects figures of records and documents, or adds up the summaries of a run's chunks. */
export class Survey {
  readonly #columns: ColumnFills;
  readonly #started: string;
  readonly #fields = new FieldFills();
  readonly #metrics = new Map<string, NumberSpread>();
  readonly #textLength = new NumberSpread();
  readonly #languages = new ValueCounts();
  readonly #sentiments = new ValueCounts();
  readonly #times: TimeSpread;
  readonly #limits: ReachedLimits;
  #documents = 0;
  #first = '';
  #last = '';
  #inFuture = 0;

  /**
   * @param columns header of a table; `null` for objects
   * @param started start of the run, ISO 8601 in UTC
   * @param limits reached so far, and updated with the summary
   */
  constructor(
    columns: readonly string[] | null = null,
    started = '',
    limits: ReachedLimits = noLimits(),
  ) {
    this.#columns = new ColumnFills(columns, limits.seen);
    this.#times = new TimeSpread(limits.letters);
    this.#started = started;
    this.#limits = limits;
  }

  /**
   * Counts a readable record, whatever its outcome.
   * @param isSampled whether the values of its columns are counted
   */
  record(value: RecordValue, isSampled = true): void {
    this.#columns.add(value, isSampled);
  }

  document(document: ImportedDocument): void {
    this.#documents += 1;
    this.#fields.add(document);
    const { text, language, sentiment, published } = document;
    if (text !== undefined) this.#textLength.add(text.length);
    if (language !== undefined) this.#languages.add(language);
    if (sentiment !== undefined) this.#sentiments.add(sentiment);
    const { metrics = [] } = document;
    let score: number | undefined;
    for (let at = 0; at < metrics.length; at += 1) {
      const { name, value } = metrics[at] as (typeof metrics)[number];
      this.#metric(name).add(value);
      if (name === 'score') score = value;
    }
    if (published !== undefined) this.#addPublished(published, score);
  }

  merge(summary: SurveySummary): void {
    this.#columns.merge(summary.columns);
    this.#documents += summary.documents;
    this.#fields.merge(summary.fields);
    this.#textLength.merge(summary.textLength);
    this.#languages.merge(summary.languages);
    this.#sentiments.merge(summary.sentiments);
    this.#mergePublished(summary.published);
    for (const [name, spread] of summary.metrics) this.#metric(name).merge(spread);
  }

  summary(): SurveySummary {
    const times = this.#times.summary();
    this.#limits.letters = times.letters;
    return {
      documents: this.#documents,
      columns: this.#columns.summary(),
      fields: this.#fields.summary(),
      metrics: [...this.#metrics].map(([name, spread]) => [name, spread.summary()]),
      textLength: this.#textLength.summary(),
      languages: this.#languages.summary(),
      sentiments: this.#sentiments.summary(),
      published: {
        first: this.#first,
        last: this.#last,
        inFuture: this.#inFuture,
        times,
      },
    };
  }

  #addPublished(published: string, score: number | undefined): void {
    // ISO 8601 in UTC sorts as text.
    if (this.#first === '' || published < this.#first) this.#first = published;
    if (published > this.#last) this.#last = published;
    if (published > this.#started) this.#inFuture += 1;
    this.#times.add(published, score);
  }

  #mergePublished({ first, last, inFuture, times }: PublishedSummary): void {
    if (first !== '' && (this.#first === '' || first < this.#first)) this.#first = first;
    if (last > this.#last) this.#last = last;
    this.#inFuture += inFuture;
    this.#times.merge(times);
  }

  #metric(name: string): NumberSpread {
    let spread = this.#metrics.get(name);
    if (spread === undefined) {
      spread = new NumberSpread();
      this.#metrics.set(name, spread);
    }
    return spread;
  }
}
