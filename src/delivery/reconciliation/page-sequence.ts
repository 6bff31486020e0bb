import type { ShownDocument, ShownPage } from './service-pages.js';
import { MINUTE_MS } from './window.js';

/** Result of reading the pages of a part of a window. */
export type PartReading =
  | { readonly kind: 'complete' }
  /** The service gives only the first `reach` of `total` documents. */
  | {
      readonly kind: 'too-deep';
      readonly reach: number;
      readonly total: number;
      readonly message: string;
    }
  | { readonly kind: 'unsteady'; readonly message: string }
  | NoPage;

export type NoPage =
  /** No usable page, at least for now. */
  | { readonly kind: 'failed'; readonly message: string; readonly isDown?: boolean }
  /** Retrying can't succeed: the run is interrupted, or reading isn't allowed. */
  | { readonly kind: 'ended'; readonly message: string };

/** First or last minute of publication of a part's documents, and how many share it. */
export interface Edge {
  readonly minute: number;
  readonly documents: number;
}

function withDocument(edge: Edge, minute: number): Edge {
  return { minute, documents: minute === edge.minute ? edge.documents + 1 : 1 };
}

/**
 * Checks from a part's successive pages whether together they hold all documents. Each page is
 * requested from the last document of the page before: if it doesn't begin with that document,
 * documents came or went and shifted the pages, and one may have been missed.
 */
export class PageSequence {
  readonly #reach: number;
  #total: number | undefined;
  /** Ids of the last page that wasn't empty. */
  #last: readonly number[] = [];
  received = 0;
  /** Minute of the document that was listed first. */
  firstMinute: number | undefined;
  earliest: Edge = { minute: Number.POSITIVE_INFINITY, documents: 0 };
  latest: Edge = { minute: Number.NEGATIVE_INFINITY, documents: 0 };

  /** @param reach how many documents deep the service is known to page, or `Infinity` */
  constructor(reach: number) {
    this.#reach = reach;
  }

  get offset(): number {
    return this.received - this.#overlap;
  }

  /** Pages of a single document can't overlap, or reading would never advance. */
  get #overlap(): number {
    return this.#last.length > 1 ? 1 : 0;
  }

  /** Adds the next page; returns the part's result if this page ends it. */
  add({ documents, total }: ShownPage): PartReading | undefined {
    this.#total ??= total;
    if (total !== this.#total) {
      const message = `the number of documents went from ${this.#total} to ${total} between two pages`;
      return { kind: 'unsteady', message };
    }
    if (total > this.#reach) return this.tooDeep(this.#reach);
    if (!this.#continues(documents)) {
      const message = `the page at offset ${this.offset} doesn't continue the one before`;
      return { kind: 'unsteady', message };
    }
    const added = documents.slice(this.#overlap);
    this.received += added.length;
    if (documents.length > 0) this.#last = documents.map(({ id }) => id);
    for (const { published } of added) {
      const minute = minuteOf(published);
      if (minute === undefined) continue;
      this.firstMinute ??= minute;
      if (minute <= this.earliest.minute) this.earliest = withDocument(this.earliest, minute);
      if (minute >= this.latest.minute) this.latest = withDocument(this.latest, minute);
    }
    return this.#end(added.length, total);
  }

  /** Result of a part whose next page failed. If no page came before, the service may be down. */
  failure(failure: NoPage): PartReading {
    const isDeep = failure.kind === 'failed' && this.received > 0;
    return isDeep ? this.tooDeep(this.received, failure.message) : failure;
  }

  /** Result of a part with more documents than the service gives pages of. */
  tooDeep(
    reach: number = this.received,
    message: string = `the service gives pages of only the first ${reach} documents`,
  ): PartReading {
    return { kind: 'too-deep', reach, total: this.#total ?? 0, message };
  }

  /** Returns whether a page continues the one before. An empty page does: it is the end. */
  #continues(documents: readonly ShownDocument[]): boolean {
    const first = documents[0];
    if (first === undefined) return true;
    if (this.#overlap === 1) return first.id === this.#last.at(-1);
    return !documents.some(({ id }) => this.#last.includes(id));
  }

  #end(added: number, total: number): PartReading | undefined {
    if (this.received > total) {
      const message = `there are more documents than the total of ${total}`;
      return { kind: 'unsteady', message };
    }
    if (this.received === total) return { kind: 'complete' };
    if (added > 0) return undefined;
    if (this.received > 0) return this.tooDeep();
    const message = `the service reports ${total} documents but shows none`;
    return { kind: 'failed', message };
  }
}

/** Minute of publication, in milliseconds since 1970; `undefined` if unreadable. */
export function minuteOf(published: string | null): number | undefined {
  const ms = published === null ? Number.NaN : Date.parse(published);
  return Number.isNaN(ms) ? undefined : Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}
