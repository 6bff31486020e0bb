import { setTimeout as wait } from 'node:timers/promises';
import { OptionError, ServiceError } from '../model/errors.js';
import type { FeedPage } from '../service/resources.js';
import { askFiltered, DOCUMENT_SHAPE, type Port } from './ask.js';
import { showValue } from './checks.js';
import type { FeedOptions } from './client.js';
import { encodeFeedQuery, readMoment } from './encode-queries.js';
import type { FeedQuery, Moment } from './queries.js';

const SHAPE = {
  documents: { list: DOCUMENT_SHAPE },
  remaining: 'count',
  nextCursor: 'text',
} as const;

/** The longest that a timer of Node waits. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/**
 * `POST /documents/feed`, page after page with the same filters, each from where the one before
 * ended.
 */
export async function* feed(
  port: Port,
  query: FeedQuery,
  { cursor: start, follow = false, intervalMs = 60_000, signal }: FeedOptions = {},
): AsyncGenerator<FeedPage, void, undefined> {
  const parameters = encodeFeedQuery(query, port.warn);
  if (start !== undefined) checkCursor(start);
  if (!Number.isFinite(intervalMs) || intervalMs < 1 || intervalMs > LONGEST_WAIT_MS) {
    throw new OptionError(
      `intervalMs: ${showValue(intervalMs)} can't be waited; expected milliseconds, 1 to ${LONGEST_WAIT_MS}.`,
    );
  }
  const cursors = new Set(start === undefined ? [] : [start]);
  let cursor = start;
  let following = false;
  for (;;) {
    if (cursor !== undefined) parameters.set('cursor', cursor);
    const question = { path: '/documents/feed', parameters, shape: SHAPE };
    const page = await askFiltered<FeedPage>(port, question, { signal });
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

/** Cursors that come again while there is more would give the same pages for ever. */
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
 * The cursor from which the feed gives what was downloaded at this moment or later:
 * `yyyyMMddHHmmss.0` in GMT (reference, "POST /documents/feed"). Parts of seconds are cut off, and
 * text without an offset is UTC.
 * @param name what a message calls the moment
 * @throws OptionError if the moment can't be read
 */
export function cursorAt(moment: Moment, name = 'moment'): string {
  return `${readMoment(name, moment).replace(/\D/g, '')}.0`;
}

/** Refuses what the service can't have given as a `nextCursor`, and {@link cursorAt} neither. */
export function checkCursor(cursor: string): void {
  if (typeof cursor === 'string' && CURSOR.test(cursor)) return;
  throw new OptionError(
    `cursor: ${showValue(cursor)} is no cursor; expected the nextCursor of a page of the feed, or one made by cursorAt, such as "20240531183000.0".`,
  );
}
