import { OptionError, ServiceError } from '../model/errors.js';
import type { ContextDocument, ContextPage } from '../service/resources.js';
import { DOCUMENT_SHAPE } from './answer-shape.js';
import { ask } from './ask.js';
import { checkId, checkOffset } from './checks.js';
import type { CallOptions, Client, PageOptions } from './client.js';
import { allPages } from './documents.js';
import { formBody, type Transport } from './transport/http-transport.js';

const SHAPE = {
  documents: { list: { ...DOCUMENT_SHAPE, parentId: 'integer?' } },
  total: 'count',
  offset: 'count?',
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
  const all = (documentId: number, { signal }: CallOptions = {}) =>
    allPages({
      start: 0,
      ask: (offset) => page(documentId, { offset, signal }),
      items: ({ documents }) => documents,
      total: ({ total }) => total,
    });
  const tree = async (documentId: number, options?: CallOptions): Promise<ContextTree> => {
    const documents: ContextDocument[] = [];
    for await (const document of all(documentId, options)) documents.push(document);
    if (documents.length > 0) return buildTree(documents);
    throw new ServiceError(
      `The context of document ${documentId} is empty, though it should hold the publication at least.`,
      { status: 200, messages: [] },
    );
  };
  return { page, all, tree };
}

/** A document and what replies to it, in the order in which the service listed it. */
export interface ContextTree {
  readonly document: ContextDocument;
  readonly replies: readonly ContextTree[];
}

interface Node {
  readonly document: ContextDocument;
  readonly replies: Node[];
}

/**
 * Makes the tree of a context out of its list, by `id` and `parentId`. Its root is the publication:
 * the first document without a parent. Every document of the list stands in the tree once, whatever
 * the list is like: a reply whose parent isn't there, and one of several that reply to each other
 * in a circle, stands under the root; of documents with the same id the first counts.
 * @throws OptionError if the list is empty
 */
export function buildTree(documents: readonly ContextDocument[]): ContextTree {
  const nodes = new Map<number, Node>();
  for (const document of documents) {
    if (!nodes.has(document.id)) nodes.set(document.id, { document, replies: [] });
  }
  const all = [...nodes.values()];
  const root = all.find(({ document }) => document.parentId === null) ?? all[0];
  if (root === undefined) throw new OptionError('A tree needs documents; the list is empty.');
  const circular = circleBreakers(nodes);
  for (const node of all) {
    if (node === root) continue;
    const parent = circular.has(node) ? root : (parentOf(node, nodes) ?? root);
    parent.replies.push(node);
  }
  return root;
}

function parentOf({ document }: Node, nodes: ReadonlyMap<number, Node>): Node | undefined {
  return document.parentId === null ? undefined : nodes.get(document.parentId);
}

/** One node of every circle of replies. Walks up from each node, but over each only once. */
function circleBreakers(nodes: ReadonlyMap<number, Node>): Set<Node> {
  const breakers = new Set<Node>();
  const walked = new Set<Node>();
  for (const start of nodes.values()) {
    const way = new Set<Node>();
    let at: Node | undefined = start;
    while (at !== undefined && !walked.has(at)) {
      walked.add(at);
      way.add(at);
      at = parentOf(at, nodes);
    }
    if (at !== undefined && way.has(at)) breakers.add(at);
  }
  return breakers;
}
