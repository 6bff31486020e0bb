import type { ContextPage } from '../../service/resources.js';
import { Refusal } from '../refusal.js';
import type { IdRange, Store } from '../store/database.js';
import { DOCUMENT_CELLS, DOCUMENT_TABLES, type DocumentRow, documentOf } from './find-documents.js';

export interface ContextCall {
  readonly id: number;
  readonly offset: number;
  readonly limit: number;
}

interface Member {
  readonly id: number;
  readonly monitoring: number;
  readonly source: string;
  readonly key: string;
  readonly parentKey: string | null;
  readonly published: number;
}

/**
 * Returns the publication that a document belongs to, with all comments and replies, depth first. A
 * reply whose parent isn't in the monitoring counts as a publication, as does the oldest of
 * documents that reply to each other in a cycle.
 */
export function readContext(store: Store, call: ContextCall): ContextPage {
  return store.transaction('read', () => {
    const hidden = store.visibility.hidden();
    const [start] = store.all<Member>(`${MEMBER} WHERE id = ?`, [call.id]);
    if (!start || isHidden(start, hidden)) {
      throw new Refusal('notFound', `There is no document ${call.id}.`);
    }
    const nodes = depthFirst(store, rootOf(store, start), hidden);
    const page = nodes.slice(call.offset, call.offset + call.limit);
    const rows = readRows(store, page);
    const documents = page.flatMap(({ id, parentId }) => {
      const row = rows.get(id);
      return row ? [{ ...documentOf(row), parentId }] : [];
    });
    return { documents, total: nodes.length, max: call.limit, offset: call.offset };
  });
}

const MEMBER = `
  SELECT id, monitoring_id AS monitoring, source, source_key AS key, parent_key AS parentKey,
    published_ms AS published
  FROM documents`;

/** Finds the document that this one replies to: the first with the sourceId of the parent. */
function findParent(store: Store, { monitoring, source, parentKey }: Member): Member | undefined {
  if (parentKey === null) return undefined;
  const sql = `${MEMBER} WHERE monitoring_id = ? AND source_key = ? AND source = ? ORDER BY id LIMIT 1`;
  return store.all<Member>(sql, [monitoring, parentKey, source])[0];
}

function rootOf(store: Store, start: Member): Member {
  const visited = new Map<number, Member>();
  let current = start;
  while (!visited.has(current.id)) {
    visited.set(current.id, current);
    const parent = findParent(store, current);
    if (!parent) return current;
    current = parent;
  }
  const path = [...visited.values()];
  const cycle = path.slice(path.findIndex(({ id }) => id === current.id));
  return cycle.reduce((oldest, member) => (member.id < oldest.id ? member : oldest));
}

interface TreeNode {
  readonly id: number;
  readonly parentId: number | null;
}

function depthFirst(store: Store, root: Member, hidden: readonly IdRange[]): TreeNode[] {
  const replies = repliesBelow(store, root, hidden);
  const nodes: TreeNode[] = [];
  // Not recursive: a chain of replies may be longer than the call stack.
  const stack: TreeNode[] = [{ id: root.id, parentId: null }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    nodes.push(next);
    for (const reply of replies.get(next.id) ?? []) stack.push(reply);
  }
  return nodes;
}

/** Maps each document to its replies, in reverse order, because they are pushed onto a stack. */
function repliesBelow(
  store: Store,
  root: Member,
  hidden: readonly IdRange[],
): ReadonlyMap<number, readonly TreeNode[]> {
  const replies = new Map<number, TreeNode[]>();
  for (const node of store.all<TreeNode & { parentId: number }>(TREE, [root.id])) {
    // In a cycle the publication is a reply, too.
    if (node.id === root.id || isHidden(node, hidden)) continue;
    const siblings = replies.get(node.parentId);
    if (siblings) siblings.push(node);
    else replies.set(node.parentId, [node]);
  }
  return replies;
}

/** Among documents with the same sourceId, the first one gets the replies. */
const TREE = `
  WITH RECURSIVE tree (id, parentId) AS (
    SELECT ?, NULL
    UNION
    SELECT reply.id, d.id
    FROM tree
    JOIN documents AS d ON d.id = tree.id
    JOIN documents AS reply INDEXED BY documents_by_parent
      ON reply.monitoring_id = d.monitoring_id AND reply.parent_key = d.source_key
      AND reply.source = d.source
    WHERE NOT EXISTS (
      SELECT 1 FROM documents AS earlier INDEXED BY documents_by_key
      WHERE earlier.monitoring_id = d.monitoring_id AND earlier.source_key = d.source_key
        AND earlier.source = d.source AND earlier.id < d.id
    )
  )
  SELECT tree.id, tree.parentId FROM tree JOIN documents AS d ON d.id = tree.id
  WHERE tree.parentId IS NOT NULL ORDER BY d.published_ms DESC, d.id DESC`;

function isHidden({ id }: Pick<Member, 'id'>, hidden: readonly IdRange[]): boolean {
  return hidden.some(([first, last]) => first <= id && id <= last);
}

function readRows(store: Store, nodes: readonly TreeNode[]): ReadonlyMap<number, DocumentRow> {
  const sql = `
    SELECT ${DOCUMENT_CELLS}
    FROM (SELECT value AS id FROM json_each(?)) AS page ${DOCUMENT_TABLES}`;
  const ids = JSON.stringify(nodes.map(({ id }) => id));
  return new Map(store.all<DocumentRow>(sql, [ids]).map((row) => [row.id, row]));
}
