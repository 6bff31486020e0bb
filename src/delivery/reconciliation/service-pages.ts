import { documentCalls } from '../../api/documents.js';
import type { Transport } from '../../api/transport/http-transport.js';
import type { Clock } from '../clock.js';
import type { Window } from './window.js';

export interface ShownDocument {
  /** Unique on the platform: a safe integer. */
  readonly id: number;
  readonly source: string;
  readonly sourceId: string;
  /** ISO 8601. */
  readonly published: string | null;
}

/** Page of documents, the most recently published first. */
export interface ShownPage {
  readonly documents: readonly ShownDocument[];
  /** Number of documents on all pages; a safe integer, at least 0. */
  readonly total: number;
}

/** Fetches a page of a window, after `offset` documents. Rejects as a `Client` does. */
export type FetchPage = (window: Window, offset: number, signal: AbortSignal) => Promise<ShownPage>;

export interface PagePort {
  readonly page: FetchPage;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly signal: AbortSignal;
}

/** Network of imported reviews; every imported document gets it. */
export const IMPORTED_SOURCE = 'RVW';

/** Fetches pages of one monitoring: `POST /documents`. */
export function servicePages(transport: Transport, monitoring: number): FetchPage {
  const documents = documentCalls({ transport, filterMethod: 'POST' });
  return ({ from, to }, offset, signal) => {
    const span = { start: new Date(from), end: new Date(to) };
    const filters = {
      monitorings: monitoring,
      sources: [IMPORTED_SOURCE],
      ...span,
      offset,
    } as const;
    return documents.page(filters, { signal });
  };
}

/** Maximum number of requests of a reading: for some 200,000 documents, and more for each one sought. */
const MIN_REQUESTS = 2_000;
const REQUESTS_PER_DOCUMENT = 20;

/**
 * Bounds the requests of a reading, however the service lists its documents.
 * @param sought number of documents that the reading is for
 */
export function boundedPages({ page, ...port }: PagePort, sought: number): PagePort {
  const maxRequests = MIN_REQUESTS + REQUESTS_PER_DOCUMENT * sought;
  let requests = 0;
  return {
    ...port,
    page: async (window, offset, signal) => {
      requests += 1;
      if (requests > maxRequests) throw new EndlessError(maxRequests);
      return await page(window, offset, signal);
    },
  };
}

export class EndlessError extends Error {
  constructor(maxRequests: number) {
    super(
      `${maxRequests} requests weren't enough to read all documents, so the reading was stopped`,
    );
  }
}
