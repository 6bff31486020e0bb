import type { ImportedDocument } from '../model/document.js';
import type { RecordValue } from '../model/record.js';
import { ColumnFills, type FillsSummary } from './column-fill.js';
import { type FieldCoverage, FieldFills } from './field-fills.js';
import { NumberSpread, type NumberSummary } from './number-spread.js';
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
  readonly ahead: number;
  readonly years: CountsSummary;
  /** Months like `2024-06`. */
  readonly months: CountsSummary;
}

/** 50 years; with more, only years are shown. */
const MAX_MONTHS = 600;

/** Collects figures of records and documents, or adds up the summaries of a run's chunks. */
export class Survey {
  readonly #columns: ColumnFills;
  readonly #started: string;
  readonly #fields = new FieldFills();
  readonly #metrics = new Map<string, NumberSpread>();
  readonly #textLength = new NumberSpread();
  readonly #languages = new ValueCounts();
  readonly #sentiments = new ValueCounts();
  readonly #years = new ValueCounts();
  readonly #months = new ValueCounts(MAX_MONTHS);
  #documents = 0;
  #first = '';
  #last = '';
  #ahead = 0;

  /**
   * @param columns header of a table; `null` for objects
   * @param started start of the run, ISO 8601 in UTC
   */
  constructor(columns: readonly string[] | null = null, started = '') {
    this.#columns = new ColumnFills(columns);
    this.#started = started;
  }

  /** Counts a readable record, whatever its outcome. */
  record(value: RecordValue): void {
    this.#columns.add(value);
  }

  document(document: ImportedDocument): void {
    this.#documents += 1;
    this.#fields.add(document);
    const { text, language, sentiment, published } = document;
    if (text !== undefined) this.#textLength.add(text.length);
    if (language !== undefined) this.#languages.add(language);
    if (sentiment !== undefined) this.#sentiments.add(sentiment);
    if (published !== undefined) this.#addPublished(published);
    const { metrics = [] } = document;
    for (let at = 0; at < metrics.length; at += 1) {
      const { name, value } = metrics[at] as (typeof metrics)[number];
      this.#metric(name).add(value);
    }
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
        ahead: this.#ahead,
        years: this.#years.summary(),
        months: this.#months.summary(),
      },
    };
  }

  #addPublished(published: string): void {
    // ISO 8601 in UTC sorts as text.
    if (this.#first === '' || published < this.#first) this.#first = published;
    if (published > this.#last) this.#last = published;
    if (published > this.#started) this.#ahead += 1;
    this.#years.add(published.slice(0, 4));
    // Years before 0 and after 9999 have another form, and are mistakes.
    if (published[4] === '-') this.#months.add(published.slice(0, 7));
  }

  #mergePublished({ first, last, ahead, years, months }: PublishedSummary): void {
    if (first !== '' && (this.#first === '' || first < this.#first)) this.#first = first;
    if (last > this.#last) this.#last = last;
    this.#ahead += ahead;
    this.#years.merge(years);
    this.#months.merge(months);
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
