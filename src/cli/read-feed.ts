import type { Document, FeedPage } from '../api/index.js';
import type { Batches } from './output/batches.js';

/** How far to read, and who remembers it. */
export interface ReadingOptions {
  /** Default: all there is. */
  readonly limit?: number;
  /**
   * Told how far the feed was read, once a page has been written. Its pages stay whole then, even
   * at the limit: no cursor points into the middle of one.
   */
  readonly save?: (cursor: string) => void;
  /** Whether reading was ended from outside, which is no failure. */
  readonly signal?: AbortSignal;
}

/** A feed that is being read. */
export interface Reading {
  readonly batches: Batches<Document>;
  /** At the end: what a person should know about going on. */
  notices(): readonly string[];
}

/** Turns pages into batches. A page's cursor counts only after whoever writes wants the next page. */
export function readFeed(pages: AsyncIterable<FeedPage>, options: ReadingOptions): Reading {
  const { limit = Number.POSITIVE_INFINITY, save, signal } = options;
  let count = 0;
  let left = 0;
  let next: string | undefined;

  async function* batches(): AsyncGenerator<readonly Document[]> {
    for await (const { documents, remaining, nextCursor } of endedBy(pages, signal)) {
      const wanted = save === undefined ? documents.slice(0, limit - count) : documents;
      yield wanted;
      count += wanted.length;
      left = remaining + documents.length - wanted.length;
      // A cut page has no cursor where it was cut.
      next = wanted.length === documents.length ? nextCursor : undefined;
      save?.(nextCursor);
      if (count >= limit) return;
    }
  }

  const notices = (): readonly string[] => [
    ...(count === 0 ? ['No documents, or none that are new.'] : []),
    ...(left > 0 ? [`${count} documents; ${left} more remain.`] : []),
    ...(next !== undefined && save === undefined ? [`To go on: --cursor ${next}`] : []),
  ];
  return { batches: batches(), notices };
}

async function* endedBy(
  pages: AsyncIterable<FeedPage>,
  signal: AbortSignal | undefined,
): AsyncGenerator<FeedPage> {
  try {
    yield* pages;
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
