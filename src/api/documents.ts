import { ServiceError } from '../model/errors.js';
import { MAX_RANKED_AUTHORS } from '../service/codes.js';
import type {
  Author,
  AuthorsPage,
  ContextPage,
  Document,
  DocumentsPage,
} from '../service/resources.js';
import {
  type AnswerShape,
  AUTHOR_SHAPE,
  ask,
  askFiltered,
  type ClientContext,
  DOCUMENT_SHAPE,
  filteredCall,
} from './ask.js';
import { checkId, checkOffset } from './checks.js';
import type { CallOptions, Client, PageOptions } from './client.js';
import { encodeAuthorsQuery, encodeDocumentsQuery } from './encode-queries.js';
import type { AuthorsQuery, DocumentsQuery, Offset } from './queries.js';
import { formBody, type Transport } from './transport/http-transport.js';

/** `POST /documents`. */
export function documentCalls(context: ClientContext): Client['documents'] {
  return listCalls<DocumentsQuery, DocumentsPage, Document>(context, {
    path: '/documents',
    shape: { documents: [DOCUMENT_SHAPE], total: 'count', 'offset?': 'count' },
    encode: encodeDocumentsQuery,
    partOf: ({ documents, total }) => ({ items: documents, total }),
  });
}

/** `POST /authors`. */
export function authorCalls(context: ClientContext): Client['authors'] {
  return listCalls<AuthorsQuery, AuthorsPage, Author>(context, {
    path: '/authors',
    shape: { authors: [AUTHOR_SHAPE], total: 'count', 'offset?': 'count', 'count?': 'count' },
    encode: encodeAuthorsQuery,
    // The answer's total counts messages, which may be far more than authors.
    partOf: ({ authors, total }) => ({
      items: authors,
      total: Math.min(total, MAX_RANKED_AUTHORS),
    }),
  });
}

const CONTEXT_SHAPE = {
  documents: [{ ...DOCUMENT_SHAPE, 'parentId?': 'integer' }],
  total: 'count',
  'offset?': 'count',
} as const;

/** `POST /documents/{id}/context`. */
export function contextCalls(transport: Transport): Client['context'] {
  const page = async (
    documentId: number,
    { offset, signal }: PageOptions = {},
  ): Promise<ContextPage> => {
    checkId('documentId', documentId);
    if (offset !== undefined) checkOffset(offset);
    const body = formBody(new URLSearchParams(offset === undefined ? {} : { offset: `${offset}` }));
    const path = `/documents/${documentId}/context`;
    return await ask(transport, { method: 'POST', path, body, shape: CONTEXT_SHAPE }, { signal });
  };
  return {
    page,
    async *all(documentId, { signal } = {}) {
      const pages = pagesByOffset(0, async (offset) => {
        const { documents, total } = await page(documentId, { offset, signal });
        return { items: documents, total };
      });
      for await (const documents of pages) yield* documents;
    },
  };
}

interface List<Query, Page, Item> {
  readonly path: string;
  readonly shape: AnswerShape;
  readonly encode: (query: Query) => URLSearchParams;
  readonly partOf: (page: Page) => ListPart<Item>;
}

/** Makes the calls of an operation: for one page, and for all items. */
function listCalls<Query extends Offset, Page, Item extends { readonly id: number }>(
  context: ClientContext,
  { path, shape, encode, partOf }: List<Query, Page, Item>,
) {
  return {
    page: filteredCall<Query, Page>(context, path, encode, shape),
    async *all(query: Query, options?: CallOptions) {
      const parameters = encode(query);
      const pages = pagesByOffset(query.offset ?? 0, async (offset) => {
        parameters.set('offset', `${offset}`);
        return partOf(await askFiltered<Page>(context, { path, parameters, shape }, options));
      });
      for await (const items of pages) yield* items;
    },
  };
}

/** The items of a page, and their number on all pages, counted from an offset of 0. */
interface ListPart<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

/** Largest number of successive pages that start like earlier ones because the list grows. */
const MAX_REPEATED_PAGES = 5;

/**
 * Yields the items of each page, using the number of items received as the offset, until a page is
 * empty or the total is reached.
 * @param start offset of the first page
 * @throws ServiceError if a page repeats, because the service ignores the offset
 */
export async function* pagesByOffset<Item extends { readonly id: number }>(
  start: number,
  ask: (offset: number) => Promise<ListPart<Item>>,
): AsyncGenerator<readonly Item[], void, undefined> {
  let offset = start;
  /** Total at the time of each page, by the id of its first item. */
  const totals = new Map<number, number>();
  let repeated = 0;
  for (;;) {
    const { items, total } = await ask(offset);
    const first = items[0];
    if (first === undefined) return;
    const before = totals.get(first.id);
    repeated = before === undefined ? 0 : repeated + 1;
    // Items that arrive meanwhile come first, and move others to the next page.
    const hasGrown = before !== undefined && total > before;
    if (repeated > (hasGrown ? MAX_REPEATED_PAGES : 0)) {
      throw new ServiceError(
        `The page at offset ${offset} starts with ${first.id}, as an earlier page does: the service seems to ignore the offset, so the pages would never end.`,
        { status: 200, messages: [] },
      );
    }
    totals.set(first.id, total);
    yield items;
    offset += items.length;
    if (offset >= total) return;
  }
}
