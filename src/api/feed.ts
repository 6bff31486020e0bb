import { ServiceError } from '../model/errors.js';
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
  { cursor: start, signal }: FeedOptions = {},
): AsyncGenerator<FeedPage, void, undefined> {
  const parameters = encodeFeedQuery(query);
  if (start !== undefined) checkCursor(start);
  yield* pagesByCursor((cursor) => {
    if (cursor !== undefined) parameters.set('cursor', cursor);
    const question = { path: '/documents/feed', parameters, shape: FEED_SHAPE };
    return askFiltered<FeedPage>(context, question, { signal });
  }, start);
}

/** Yields the pages of a feed, whichever way a page is asked for. */
export async function* pagesByCursor(
  pageAt: (cursor: string | undefined) => Promise<FeedPage>,
  start: string | undefined,
): AsyncGenerator<FeedPage, void, undefined> {
  const cursors = new Set(start === undefined ? [] : [start]);
  for (let cursor = start; ; ) {
    const page = await pageAt(cursor);
    yield page;
    if (page.remaining <= 0) return;
    checkProgress(page, cursors);
    cursor = page.nextCursor;
  }
}

/** @throws ServiceError if a cursor repeats: the pages would never end */
function checkProgress(page: FeedPage, cursors: Set<string>): void {
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
