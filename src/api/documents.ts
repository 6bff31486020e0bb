import { MAX_RANKED_AUTHORS } from '../service/rankings.js';
import type { Author, AuthorsPage, Document, DocumentsPage } from '../service/resources.js';
import { allPages } from './all-pages.js';
import { type AnswerShape, AUTHOR_SHAPE, DOCUMENT_SHAPE } from './answer-shape.js';
import { askFiltered, type Port } from './ask.js';
import type { CallOptions, Client } from './client.js';
import { encodeAuthorsQuery, encodeDocumentsQuery } from './queries/encode-queries.js';
import type { AuthorsQuery, DocumentsQuery, Offset } from './queries/queries.js';

/** `POST /documents`. */
export function documentCalls(port: Port): Client['documents'] {
  return listCalls<DocumentsQuery, DocumentsPage, Document>(port, {
    path: '/documents',
    shape: { documents: { list: DOCUMENT_SHAPE }, total: 'count', offset: 'count?' },
    encode: (query) => encodeDocumentsQuery(query, port.warn),
    items: ({ documents }) => documents,
    total: ({ total }) => total,
  });
}

/** `POST /authors`. */
export function authorCalls(port: Port): Client['authors'] {
  const count = 'count?';
  return listCalls<AuthorsQuery, AuthorsPage, Author>(port, {
    path: '/authors',
    shape: { authors: { list: AUTHOR_SHAPE }, total: 'count', offset: count, count },
    encode: (query) => encodeAuthorsQuery(query, port.warn),
    items: ({ authors }) => authors,
    // The answer's total counts messages: no fewer than authors, but it may be far more.
    total: ({ total }) => Math.min(total, MAX_RANKED_AUTHORS),
  });
}

/** An operation that gives a list, page after page. */
interface List<Query, Page, Item> {
  readonly path: string;
  readonly shape: AnswerShape;
  readonly encode: (query: Query) => URLSearchParams;
  readonly items: (page: Page) => readonly Item[];
  readonly total: (page: Page) => number;
}

/** Its calls: for one page, and for the items of all. */
interface ListCalls<Query, Page, Item> {
  page(query: Query, options?: CallOptions): Promise<Page>;
  all(query: Query, options?: CallOptions): AsyncGenerator<Item, void, undefined>;
}

function listCalls<Query extends Offset, Page, Item extends { readonly id: number }>(
  port: Port,
  { path, shape, encode, items, total }: List<Query, Page, Item>,
): ListCalls<Query, Page, Item> {
  const ask = (parameters: URLSearchParams, options?: CallOptions): Promise<Page> =>
    askFiltered(port, { path, parameters, shape }, options);
  return {
    page: async (query, options) => ask(encode(query), options),
    async *all(query, options) {
      const parameters = encode(query);
      yield* allPages<Page, Item>({
        start: query.offset ?? 0,
        ask: (offset) => ask(atOffset(parameters, offset), options),
        items,
        total,
      });
    },
  };
}

/** The same parameters for another page. */
function atOffset(parameters: URLSearchParams, offset: number): URLSearchParams {
  const moved = new URLSearchParams(parameters);
  moved.set('offset', String(offset));
  return moved;
}
