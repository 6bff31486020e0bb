import { AccessError, ServiceDownError, ServiceError } from '../../model/errors.js';
import { type PagePort, pause, type ShownPage } from './port.js';
import type { Window } from './window.js';

/** What became of a question for a page. */
export type PageAnswer =
  | { readonly kind: 'page'; readonly page: ShownPage }
  /** No page could be had, at least for now. */
  | { readonly kind: 'failed'; readonly message: string }
  /** There is no use in asking again: the run is interrupted, or nothing may be read. */
  | { readonly kind: 'ended'; readonly message: string };

/** Between attempts. A page that comes late is as good: what changed meanwhile shows in it. */
const PAUSES_MS = [250, 1_000, 4_000];

/** Asks for a page, a few times if need be: the question changes nothing. */
export async function askPage(port: PagePort, window: Window, offset: number): Promise<PageAnswer> {
  for (let attempt = 0; ; attempt += 1) {
    const { answer, passing } = await askOnce(port, window, offset);
    const pauseMs = PAUSES_MS[attempt];
    if (!passing || pauseMs === undefined) return answer;
    await pause(port, pauseMs);
  }
}

/** `passing`: another attempt may go better. */
async function askOnce(
  { page, signal }: PagePort,
  window: Window,
  offset: number,
): Promise<{ readonly answer: PageAnswer; readonly passing: boolean }> {
  try {
    signal.throwIfAborted();
    return {
      answer: { kind: 'page', page: await page(window, offset, signal) },
      passing: false,
    };
  } catch (error) {
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
    return { answer: { kind, message: error.message }, passing: !refused };
  }
}

function isRefusal(error: ServiceError | ServiceDownError): boolean {
  if (error instanceof ServiceDownError) return false;
  const { status } = error;
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
