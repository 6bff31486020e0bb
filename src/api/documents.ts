import type { Document, DocumentsPage } from '../service/resources.js';
import { allPages } from './all-pages.js';
import { askFiltered, type Port } from './ask-filtered.js';
import type { CallOptions, Client } from './client.js';
import { DOCUMENT_SHAPE } from './document-shape.js';
import { encodeDocumentsQuery } from './encode-queries.js';
import type { DocumentsQuery } from './queries.js';

const SHAPE = { documents: { list: DOCUMENT_SHAPE }, total: 'count', offset: 'count?' } as const;

/** `POST /documents`. */
export function documentCalls(port: Port): Client['documents'] {
  return {
    page: async (query, options) => page(port, encodeDocumentsQuery(query, port.warn), options),
    all: (query, options) => all(port, query, options),
  };
}

function page(
  port: Port,
  parameters: URLSearchParams,
  options: CallOptions | undefined,
): Promise<DocumentsPage> {
  return askFiltered(port, { path: '/documents', parameters, shape: SHAPE }, options);
}

async function* all(
  port: Port,
  query: DocumentsQuery,
  options: CallOptions | undefined,
): AsyncGenerator<Document, void, undefined> {
  const parameters = encodeDocumentsQuery(query, port.warn);
  yield* allPages({
    start: query.offset ?? 0,
    ask: (offset) => page(port, atOffset(parameters, offset), options),
    items: ({ documents }) => documents,
    total: ({ total }) => total,
  });
}

/** The same parameters for another page. */
export function atOffset(parameters: URLSearchParams, offset: number): URLSearchParams {
  const moved = new URLSearchParams(parameters);
  moved.set('offset', String(offset));
  return moved;
}
