import { OptionError } from '../model/errors.js';
import type { ContextDocument } from '../service/resources.js';

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
  const root = rootOf([...nodes.values()]);
  const circular = circleBreakers(nodes);
  for (const node of nodes.values()) {
    if (node === root) continue;
    const parent = circular.has(node) ? root : (parentOf(node, nodes) ?? root);
    parent.replies.push(node);
  }
  return root;
}

function rootOf(nodes: readonly Node[]): Node {
  const root = nodes.find(({ document }) => document.parentId === null) ?? nodes[0];
  if (root === undefined) throw new OptionError('A tree needs documents; the list is empty.');
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
