import { ServiceError } from '../model/errors.js';
import type { ContextDocument, ContextPage } from '../service/resources.js';
import { allPages } from './all-pages.js';
import { ask } from './ask.js';
import { formBody } from './body.js';
import { buildTree, type ContextTree } from './build-tree.js';
import { checkId, checkOffset } from './check-ids.js';
import type { CallOptions, Client, PageOptions } from './client.js';
import { DOCUMENT_SHAPE } from './document-shape.js';
import type { Transport } from './http-transport.js';

const SHAPE = {
  documents: { list: { ...DOCUMENT_SHAPE, parentId: 'integer?' } },
  total: 'count',
  offset: 'count?',
} as const;

/** `POST /documents/{id}/context`. */
export function contextCalls(transport: Transport): Client['context'] {
  return {
    page: async (documentId, options) => page(transport, documentId, options),
    all: (documentId, options) => all(transport, documentId, options),
    tree: (documentId, options) => tree(transport, documentId, options),
  };
}

function page(
  transport: Transport,
  documentId: number,
  { offset, signal }: PageOptions = {},
): Promise<ContextPage> {
  checkId('documentId', documentId);
  if (offset !== undefined) checkOffset(offset);
  const parameters = new URLSearchParams(offset === undefined ? {} : { offset: String(offset) });
  const path = `/documents/${documentId}/context`;
  const question = { method: 'POST', path, body: formBody(parameters), shape: SHAPE } as const;
  return ask(transport, question, { signal });
}

async function* all(
  transport: Transport,
  documentId: number,
  { signal }: CallOptions = {},
): AsyncGenerator<ContextDocument, void, undefined> {
  yield* allPages({
    start: 0,
    ask: (offset) => page(transport, documentId, { offset, signal }),
    items: ({ documents }) => documents,
    total: ({ total }) => total,
  });
}

async function tree(
  transport: Transport,
  documentId: number,
  options?: CallOptions,
): Promise<ContextTree> {
  const documents: ContextDocument[] = [];
  for await (const document of all(transport, documentId, options)) documents.push(document);
  if (documents.length > 0) return buildTree(documents);
  throw new ServiceError(
    `The context of document ${documentId} is empty, though it should hold the publication at least.`,
    { status: 200, messages: [] },
  );
}
