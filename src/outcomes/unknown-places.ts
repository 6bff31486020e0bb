import type { DocumentRange } from '../model/documents.js';
import { type RecordRange, recordNumber } from '../model/record-ranges.js';
import type { UnknownRecords } from '../report/report.js';

/** Where the records stand whose fate is unknown: neighbours together. */
export class UnknownPlaces {
  readonly #places: UnknownRecords[] = [];

  list(): readonly UnknownRecords[] {
    return this.#places;
  }

  add({ documents, from, to }: DocumentRange): void {
    const { source } = documents.chunk;
    for (let document = from; document < to; document += 1) {
      const record = recordNumber(documents, document);
      const last = this.#places.at(-1);
      if (last?.source === source && last.to + 1 === record) {
        this.#places[this.#places.length - 1] = { ...last, to: record };
      } else {
        this.#places.push({ source, from: record, to: record });
      }
    }
  }

  /** Records that this process has not read. */
  addUnread(source: string, { from, to }: RecordRange): void {
    this.#places.push({ source, from, to });
  }
}
