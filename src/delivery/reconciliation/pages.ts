import { documentCalls } from '../../api/documents.js';
import type { Transport } from '../../api/transport/http-transport.js';
import { AccessError, ServiceDownError, ServiceError } from '../../model/errors.js';
import type { Clock } from '../pacing/clock.js';
import type { Window } from './window.js';

/** What of a document reconciliation looks at. */
export interface ShownDocument {
  /** Unique on the platform: a safe integer. */
  readonly id: number;
  readonly source: string;
  readonly sourceId: string;
  /** ISO 8601. */
  readonly published: string | null;
}

/** One page of what the service shows, the most recently published first. */
export interface ShownPage {
  readonly documents: readonly ShownDocument[];
  /** How many there are on all pages: a safe integer of at least 0. */
  readonly total: number;
}

/** Asks for the page of a window behind so many documents. Rejects as a `Client` does. */
export type ShowPage = (window: Window, offset: number, signal: AbortSignal) => Promise<ShownPage>;

/** What reading needs from outside. */
export interface PagePort {
  readonly page: ShowPage;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** Ends reading and waiting. */
  readonly signal: AbortSignal;
}

/** The network that imported reviews belong to: every document is made with it. */
export const IMPORTED_SOURCE = 'RVW';

/** Asks the service for pages of one monitoring: `POST /documents`. */
export function servicePages(transport: Transport, monitoring: number): ShowPage {
  // No filter that warnings are about is set here.
  const documents = documentCalls({ transport, filterMethod: 'POST', warn: () => {} });
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

/** What became of a question for a page. */
export type PageAnswer =
  | { readonly kind: 'page'; readonly page: ShownPage }
  /** No page could be had, at least for now. */
  | { readonly kind: 'failed'; readonly message: string; readonly isDown?: boolean }
  /** There is no use in asking again: the run is interrupted, or nothing may be read. */
  | { readonly kind: 'ended'; readonly message: string };

/** Between attempts. A page that comes late is as good: what changed meanwhile shows in it. */
const PAUSES_MS = [250, 1_000, 4_000];

/** Asks for a page, a few times if need be: the question changes nothing. */
export async function askPage(port: PagePort, window: Window, offset: number): Promise<PageAnswer> {
  const { page, clock, signal } = port;
  for (let attempt = 0; ; attempt += 1) {
    try {
      signal.throwIfAborted();
      return { kind: 'page', page: await page(window, offset, signal) };
    } catch (error) {
      const { answer, passing } = failureOf(error, offset, signal);
      const pauseMs = PAUSES_MS[attempt];
      if (!passing || pauseMs === undefined) return answer;
      await clock.sleep(pauseMs, signal);
    }
  }
}

/** `passing`: another attempt may go better. */
function failureOf(
  error: unknown,
  offset: number,
  signal: AbortSignal,
): { readonly answer: PageAnswer; readonly passing: boolean } {
  if (signal.aborted) {
    return { answer: { kind: 'ended', message: 'looking was interrupted' }, passing: false };
  }
  if (error instanceof AccessError) {
    return { answer: { kind: 'ended', message: error.message }, passing: false };
  }
  if (!(error instanceof ServiceError || error instanceof ServiceDownError)) throw error;
  const refused = isRefusal(error);
  // Deep pages may be refused; where the first one is, the question is.
  const kind = refused && offset === 0 ? 'ended' : 'failed';
  const isDown = error instanceof ServiceDownError || error.status >= 500;
  return { answer: { kind, message: error.message, isDown }, passing: !refused };
}

function isRefusal(error: ServiceError | ServiceDownError): boolean {
  if (error instanceof ServiceDownError) return false;
  const { status } = error;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
