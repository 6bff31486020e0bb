import type { ShownDocument, ShownPage } from './port.js';

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
  | { readonly kind: 'failed'; readonly message: string };

/** A page's documents that no page before held, and the end, if it is one. */
export interface NextPage {
  readonly fresh: readonly ShownDocument[];
  readonly end?: PagesEnd;
}

/**
 * Tells from a window's pages, one after the other, whether together they hold all documents that
 * there are. Each page is asked for from the last document of the page before: if it doesn't begin
 * with it, documents came or went and shifted the pages, and one may have slipped through. Since a
 * total may be capped as pages are, a page must also show that nothing follows.
 */
export class PageSequence {
  readonly #reach: number;
  #received = 0;
  #total: number | undefined;
  #longest = 0;
  #last: readonly number[] = [];

  /** @param reach how many documents deep the service is known to give pages, or `Infinity` */
  constructor(reach: number) {
    this.#reach = reach;
  }

  /** How many documents to skip for the next page. */
  get offset(): number {
    return this.#received - this.#overlap;
  }

  /** From a page with a single document there would be no getting on. */
  get #overlap(): number {
    return this.#last.length > 1 ? 1 : 0;
  }

  add(page: ShownPage): NextPage {
    const { documents, total } = page;
    const wrong = misfit(page);
    if (wrong !== undefined) return { fresh: [], end: { kind: 'failed', message: wrong } };
    this.#total ??= total;
    if (total !== this.#total) {
      const message = `the number of documents went from ${this.#total} to ${total} between two pages`;
      return { fresh: documents, end: { kind: 'unsteady', message } };
    }
    if (total > this.#reach) return { fresh: documents, end: this.#tooDeep(this.#reach) };
    if (!this.#continues(documents)) {
      const message = `the page at offset ${this.offset} does not go on where the one before ended`;
      return { fresh: documents, end: { kind: 'unsteady', message } };
    }
    const fresh = documents.slice(this.#overlap);
    this.#received += fresh.length;
    this.#longest = Math.max(this.#longest, documents.length);
    if (documents.length > 0) this.#last = documents.map(({ id }) => id);
    const end = this.#endAfter(documents.length, fresh.length, total);
    return end === undefined ? { fresh } : { fresh, end };
  }

  /** What it means that the next page could not be had. */
  failure(message: string): PagesEnd {
    return this.#received === 0
      ? { kind: 'failed', message }
      : this.#tooDeep(this.#received, message);
  }

  /** An empty page, or one that holds only what was received, goes on: as the end. */
  #continues(documents: readonly ShownDocument[]): boolean {
    const first = documents[0];
    if (first === undefined) return true;
    if (this.#overlap === 1) return first.id === this.#last.at(-1);
    return !documents.some(({ id }) => this.#last.includes(id));
  }

  #endAfter(length: number, fresh: number, total: number): PagesEnd | undefined {
    const received = this.#received;
    if (received > total) {
      const message = `there are more documents than the ${total} that the service says`;
      return { kind: 'unsteady', message };
    }
    if (received === total && (fresh === 0 || length < this.#longest)) {
      return { kind: 'complete', documents: received };
    }
    if (fresh > 0) return undefined;
    if (received > 0) return this.#tooDeep(received);
    const message = `the service says that there are ${total} documents, and shows none`;
    return { kind: 'failed', message };
  }

  #tooDeep(
    reach: number,
    message = `the service gives pages of only the first ${reach} documents`,
  ): PagesEnd {
    return { kind: 'too-deep', reach, total: this.#total ?? 0, message };
  }
}

/** Why a page can't be used, as half a sentence; `undefined` if it can. */
function misfit({ documents, total }: ShownPage): string | undefined {
  if (!Number.isSafeInteger(total) || total < 0) {
    return `the service says that there are ${total} documents`;
  }
  if (!documents.every(({ id }) => Number.isSafeInteger(id))) {
    return 'the service shows documents without an id';
  }
  return undefined;
}
