import { OptionError, ServiceError } from '../model/errors.js';
import type { ContextDocument, ContextPage } from '../service/resources.js';
import { ask, DOCUMENT_SHAPE } from './ask.js';
import { checkId, checkOffset } from './checks.js';
import type { CallOptions, Client, ContextTree, PageOptions } from './client.js';
import { pagesByOffset } from './documents.js';
import { formBody, type Transport } from './transport/http-transport.js';

const SHAPE = {
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
    return await ask(transport, { method: 'POST', path, body, shape: SHAPE }, { signal });
  };
  async function* all(documentId: number, { signal }: CallOptions = {}) {
    const pages = pagesByOffset(0, async (offset) => {
      const { documents, total } = await page(documentId, { offset, signal });
      return { items: documents, total };
    });
    for await (const documents of pages) yield* documents;
  }
  const tree = async (documentId: number, options?: CallOptions): Promise<ContextTree> => {
    const documents: ContextDocument[] = [];
    for await (const document of all(documentId, options)) documents.push(document);
    if (documents.length > 0) return buildTree(documents);
    throw new ServiceError(
      `The context of document ${documentId} is empty, though it should hold at least the publication.`,
      { status: 200, messages: [] },
    );
  };
  return { page, all, tree };
}

interface Node {
  readonly document: ContextDocument;
  readonly replies: Node[];
}

/**
 * Builds the tree of a context from the service's list, which is depth first, by `id` and
 * `parentId`. The root is the publication: the first document without a parent. Every document is
 * in the tree once. A reply whose parent doesn't come before it is placed under the root; of
 * documents with the same id the first counts.
 * @throws OptionError if the list is empty
 */
export function buildTree(documents: readonly ContextDocument[]): ContextTree {
  const publication = documents.find(({ parentId }) => parentId === null) ?? documents[0];
  if (publication === undefined)
    throw new OptionError('A tree needs documents; the list is empty.');
  const root: Node = { document: publication, replies: [] };
  const nodes = new Map([[publication.id, root]]);
  for (const document of documents) {
    if (nodes.has(document.id)) continue;
    const node: Node = { document, replies: [] };
    const parent = document.parentId === null ? root : (nodes.get(document.parentId) ?? root);
    parent.replies.push(node);
    nodes.set(document.id, node);
  }
  return root;
}
