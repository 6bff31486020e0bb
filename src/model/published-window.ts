import type { Batch } from './documents.js';

/** The first and the last moment at which some documents were published, as ISO 8601 in UTC. */
export interface PublishedWindow {
  readonly from: string;
  readonly to: string;
}

/**
 * When a batch's documents were published: where to look for them. `null` if one of them doesn't
 * say, since then there is no window that holds all of them.
 */
export function publishedWindow({ ranges }: Pick<Batch, 'ranges'>): PublishedWindow | null {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { documents, from, to } of ranges) {
    for (let document = from; document < to; document += 1) {
      const published = documents.published[document] as number;
      if (Number.isNaN(published)) return null;
      if (published < first) first = published;
      if (published > last) last = published;
    }
  }
  return { from: new Date(first).toISOString(), to: new Date(last).toISOString() };
}
