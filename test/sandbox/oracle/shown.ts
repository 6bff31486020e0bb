import type { CapturedAuthor } from '../../../src/sandbox/index.js';
import type { Post } from './memory.js';

const NOT_SENT = {
  ...{
    source: null,
    sourceId: null,
    parentSourceId: null,
    title: null,
    text: null,
    imageUrl: null,
  },
  ...{ url: null, language: null, sentiment: null, detectedLocations: [], citedLocations: [] },
  ...{ lat: null, lon: null, published: null, downloaded: null, metrics: [], tags: [] },
};

const NO_PROFILE = {
  ...{ name: '', authorUrl: '', imageUrl: '', isVerified: false, about: '' },
  ...{ declaredLocation: null, authorLocations: [], metrics: [] },
};

/** How the API shows a post, but for ids: what was not sent is `null` or an empty list. */
export function shownAs(
  { by, document, author }: Post,
  monitoring: number,
): Record<string, unknown> {
  const { reviewers: _, author: identity, ...sent } = { reviewers: [], ...document };
  const told = (identity ?? {}) as Partial<CapturedAuthor> & { annotations?: unknown[] };
  return {
    ...NOT_SENT,
    ...sent,
    monitoring,
    author: {
      ...NO_PROFILE,
      ...author.profile,
      // An import that does not say who wrote a document is not filled in.
      source: told.source ?? (by === 'capture' ? document.source : null),
      sourceId: told.sourceId ?? null,
      username: told.username ?? null,
      annotations: told.annotations ?? [],
    },
  };
}

/** A document as it was answered, without its ids. */
export function withoutIds(answered: unknown): Record<string, unknown> {
  const { id: _, author, ...document } = answered as { id: number; author: { id: number } };
  const { id: __, ...person } = author;
  return { ...document, author: person };
}
