import { MOST_RANKED_AUTHORS } from '../service/rankings.js';
import type { Author, AuthorsPage } from '../service/resources.js';
import { allPages } from './all-pages.js';
import { askFiltered, type Port } from './ask-filtered.js';
import type { CallOptions, Client } from './client.js';
import { AUTHOR_SHAPE } from './document-shape.js';
import { atOffset } from './documents.js';
import { encodeAuthorsQuery } from './encode-queries.js';
import type { AuthorsQuery } from './queries.js';

const SHAPE = {
  authors: { list: AUTHOR_SHAPE },
  total: 'count',
  offset: 'count?',
  count: 'count?',
} as const;

/** `POST /authors`. */
export function authorCalls(port: Port): Client['authors'] {
  return {
    page: async (query, options) => page(port, encodeAuthorsQuery(query, port.warn), options),
    all: (query, options) => all(port, query, options),
  };
}

function page(
  port: Port,
  parameters: URLSearchParams,
  options: CallOptions | undefined,
): Promise<AuthorsPage> {
  return askFiltered(port, { path: '/authors', parameters, shape: SHAPE }, options);
}

async function* all(
  port: Port,
  query: AuthorsQuery,
  options: CallOptions | undefined,
): AsyncGenerator<Author, void, undefined> {
  const parameters = encodeAuthorsQuery(query, port.warn);
  yield* allPages({
    start: query.offset ?? 0,
    ask: (offset) => page(port, atOffset(parameters, offset), options),
    items: ({ authors }) => authors,
    // The answer's total counts messages: no fewer than authors, but it may be far more.
    total: ({ total }) => Math.min(total, MOST_RANKED_AUTHORS),
  });
}
