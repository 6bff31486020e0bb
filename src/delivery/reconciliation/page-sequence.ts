import type { ShownDocument, ShownPage } from './pages.js';
import { minuteOf } from './window.js';

/** What the pages of a window came to. */
export type PagesEnd =
  | { readonly kind: 'complete'; readonly documents: number }
  /** The service gives no more than `reach` of the `total` documents that it says are there. */
  | {
      readonly kind: 'too-deep';
      readonly reach: number;
      readonly total: number;
      readonly message: string;
    }
  /** What there is changed from one page to the next. */
  | { readonly kind: 'unsteady'; readonly message: string }
  /** A page can't be used. */
  | { readonly kind: 'failed'; readonly message: string; readonly isDown?: boolean };

/** A page's documents that no page before held, and the end, if it is one. */
export interface NextPage {
  readonly fresh: readonly ShownDocument[];
  readonly end?: PagesEnd;
}

/** The minute in which the oldest document was published, and how many were. */
export interface OldestMinute {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly documents: number;
}

/**
 * Tells from a window's pages, one after the other, whether together they hold all documents that
 * there are. Each page is asked for from the last document of the page before: if it doesn't begin
 * with it, documents came or went and shifted the pages, and one may have slipped through.
 */
export class PageSequence {
  readonly #reach: number;
  #received = 0;
  #total: number | undefined;
  #last: readonly number[] = [];
  #oldest: OldestMinute | undefined;

  /** @param reach how many documents deep the service is known to give pages, or `Infinity` */
  constructor(reach: number) {
    this.#reach = reach;
  }

  /** How many documents to skip for the next page. */
  get offset(): number {
    return this.#received - this.#overlap;
  }

  /** `undefined`: nothing was received, or the last document doesn't tell. */
  get oldest(): OldestMinute | undefined {
    return this.#oldest;
  }

  /** From a page with a single document there would be no getting on. */
  get #overlap(): number {
    return this.#last.length > 1 ? 1 : 0;
  }

  add({ documents, total }: ShownPage): NextPage {
    this.#total ??= total;
    if (total !== this.#total) {
      const message = `the number of documents went from ${this.#total} to ${total} between two pages`;
      return { fresh: documents, end: { kind: 'unsteady', message } };
    }
    if (total > this.#reach) return { fresh: documents, end: this.tooDeep(this.#reach) };
    if (!this.#continues(documents)) {
      const message = `the page at offset ${this.offset} does not go on where the one before ended`;
      return { fresh: documents, end: { kind: 'unsteady', message } };
    }
    const fresh = documents.slice(this.#overlap);
    this.#received += fresh.length;
    if (documents.length > 0) this.#last = documents.map(({ id }) => id);
    for (const { published } of fresh) this.#noteMinute(minuteOf(published));
    const end = this.#endAfter(fresh.length, total);
    return end === undefined ? { fresh } : { fresh, end };
  }

  /** What it means that the next page could not be had. */
  failure(message: string, isDown = false): PagesEnd {
    return this.#received === 0 || isDown
      ? { kind: 'failed', message, isDown }
      : this.tooDeep(this.#received, message);
  }

  /** That there is more than was received, of which the service gives no pages. */
  tooDeep(
    reach: number = this.#received,
    message: string = `the service gives pages of only the first ${reach} documents`,
  ): PagesEnd {
    return { kind: 'too-deep', reach, total: this.#total ?? 0, message };
  }

  /** An empty page goes on: as the end. */
  #continues(documents: readonly ShownDocument[]): boolean {
    const first = documents[0];
    if (first === undefined) return true;
    if (this.#overlap === 1) return first.id === this.#last.at(-1);
    return !documents.some(({ id }) => this.#last.includes(id));
  }

  #noteMinute(at: number | undefined): void {
    if (at === undefined) this.#oldest = undefined;
    else if (this.#oldest?.at !== at) this.#oldest = { at, documents: 1 };
    else this.#oldest = { at, documents: this.#oldest.documents + 1 };
  }

  #endAfter(fresh: number, total: number): PagesEnd | undefined {
    const received = this.#received;
    if (received > total) {
      const message = `there are more documents than the ${total} that the service says`;
      return { kind: 'unsteady', message };
    }
    if (received === total) return { kind: 'complete', documents: received };
    if (fresh > 0) return undefined;
    if (received > 0) return this.tooDeep();
    const message = `the service says that there are ${total} documents, and shows none`;
    return { kind: 'failed', message };
  }
}
