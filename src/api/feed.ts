import { setTimeout as wait } from 'node:timers/promises';
import { ServiceError } from '../model/errors.js';
import { MAX_TIMER_MS } from '../model/flush-timer.js';
import type { FeedPage } from '../service/resources.js';
import { askFiltered, type ClientContext, DOCUMENT_SHAPE } from './ask.js';
import { wrongValue } from './checks.js';
import type { FeedOptions } from './client.js';
import { encodeFeedQuery, readMoment } from './encode-queries.js';
import type { FeedQuery, Moment } from './queries.js';

export const FEED_SHAPE = {
  documents: [DOCUMENT_SHAPE],
  remaining: 'count',
  nextCursor: 'text',
} as const;

/** Yields the pages of `POST /documents/feed`, each from where the one before ended. */
export async function* feed(
  context: ClientContext,
  query: FeedQuery,
  { cursor: start, follow = false, intervalMs = 60_000, signal }: FeedOptions = {},
): AsyncGenerator<FeedPage, void, undefined> {
  const parameters = encodeFeedQuery(query);
  if (start !== undefined) checkCursor(start);
  if (!Number.isFinite(intervalMs) || intervalMs < 1 || intervalMs > MAX_TIMER_MS) {
    throw wrongValue('intervalMs', intervalMs, `milliseconds, 1 to ${MAX_TIMER_MS}`);
  }
  const pageAt = (cursor: string | undefined): Promise<FeedPage> => {
    if (cursor !== undefined) parameters.set('cursor', cursor);
    const question = { path: '/documents/feed', parameters, shape: FEED_SHAPE };
    return askFiltered<FeedPage>(context, question, { signal });
  };
  yield* pagesByCursor(pageAt, { cursor: start, follow, intervalMs, signal });
}

/** Yields the pages of a feed, whichever way a page is asked for. */
export async function* pagesByCursor(
  pageAt: (cursor: string | undefined) => Promise<FeedPage>,
  { cursor: start, follow = false, intervalMs, signal }: FeedOptions,
): AsyncGenerator<FeedPage, void, undefined> {
  const cursors = new Set(start === undefined ? [] : [start]);
  let cursor = start;
  let following = false;
  for (;;) {
    const page = await pageAt(cursor);
    if (!following || page.documents.length > 0) yield page;
    const ended = page.remaining <= 0;
    if (ended && !follow) return;
    checkProgress(page, cursors);
    cursor = page.nextCursor;
    following ||= ended;
    if (ended) {
      await wait(intervalMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
    }
  }
}

/** @throws ServiceError if a cursor repeats while documents remain: the pages would never end */
function checkProgress(page: FeedPage, cursors: Set<string>): void {
  if (page.documents.length === 0 && page.remaining <= 0) return;
  const known = cursors.size;
  if (cursors.add(page.nextCursor).size > known) return;
  throw new ServiceError(
    `The feed gives the same cursor again (${page.nextCursor}) with ${page.documents.length} documents and ${page.remaining} remaining, so it would never end.`,
    { status: 200, messages: [] },
  );
}

const CURSOR = /^\d{14}\.\d+$/;

/**
 * Makes a cursor for documents downloaded at a time or later: `yyyyMMddHHmmss.0` in GMT (reference,
 * "POST /documents/feed"). Fractions of seconds are cut off, and text without an offset is UTC.
 * @param name name of the time in messages
 * @throws OptionError if the time can't be read
 */
export function cursorAt(moment: Moment, name = 'moment'): string {
  return `${readMoment(name, moment).replace(/\D/g, '')}.0`;
}

/** @throws OptionError unless the text has the form of a `nextCursor` */
export function checkCursor(cursor: string): void {
  if (typeof cursor === 'string' && CURSOR.test(cursor)) return;
  throw wrongValue(
    'cursor',
    cursor,
    'the nextCursor of a feed page, or a result of cursorAt like "20240531183000.0"',
  );
}
