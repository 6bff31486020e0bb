import type { ImportedDocument } from '../model/document.js';
import type { Place, RecordValue } from '../model/record.js';
import { ColumnFills, type FillsSummary } from './column-fill.js';
import { type FieldCoverage, FieldFills } from './field-fills.js';
import { NumberSpread, type NumberSummary } from './number-spread.js';
import { TimeSpread, type TimeSummary } from './time-spread.js';
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
  readonly tags: CountsSummary;
  readonly locations: CountsSummary;
  readonly published: TimeSummary;
}

/** Collects figures of records and documents, or adds up the summaries of a run's chunks. */
export class Survey {
  readonly #columns: ColumnFills;
  readonly #fields = new FieldFills();
  readonly #metrics = new Map<string, NumberSpread>();
  readonly #textLength = new NumberSpread();
  readonly #languages = new ValueCounts();
  readonly #sentiments = new ValueCounts();
  readonly #tags = new ValueCounts();
  readonly #locations = new ValueCounts();
  readonly #published: TimeSpread;
  #documents = 0;

  /**
   * @param columns header of a table; `null` for objects
   * @param started start of the run, ISO 8601 in UTC
   */
  constructor(columns: readonly string[] | null = null, started = '') {
    this.#columns = new ColumnFills(columns);
    this.#published = new TimeSpread(started);
  }

  /** Counts a readable record, whatever its outcome. */
  add(value: RecordValue): void {
    this.#columns.add(value);
  }

  /** @param placeAt locates the record with an index; called only to report its document */
  document(document: ImportedDocument, placeAt: (index: number) => Place, index: number): void {
    this.#documents += 1;
    this.#fields.add(document);
    const { text, language, sentiment, published } = document;
    if (text !== undefined) this.#textLength.add(text.length);
    if (language !== undefined) this.#languages.add(language);
    if (sentiment !== undefined) this.#sentiments.add(sentiment);
    const { metrics = [], tags, detectedLocations } = document;
    if (tags !== undefined) for (const tag of tags) this.#tags.add(tag);
    if (detectedLocations !== undefined) {
      for (const location of detectedLocations) this.#locations.add(location);
    }
    let score: number | undefined;
    for (let at = 0; at < metrics.length; at += 1) {
      const { name, value } = metrics[at] as (typeof metrics)[number];
      this.#metric(name).add(value);
      if (name === 'score') score = value;
    }
    if (published !== undefined) this.#published.add(published, score, placeAt, index);
  }

  merge(summary: SurveySummary): void {
    this.#columns.merge(summary.columns);
    this.#documents += summary.documents;
    this.#fields.merge(summary.fields);
    this.#textLength.merge(summary.textLength);
    this.#languages.merge(summary.languages);
    this.#sentiments.merge(summary.sentiments);
    this.#tags.merge(summary.tags);
    this.#locations.merge(summary.locations);
    this.#published.merge(summary.published);
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
      tags: this.#tags.summary(),
      locations: this.#locations.summary(),
      published: this.#published.summary(),
    };
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
