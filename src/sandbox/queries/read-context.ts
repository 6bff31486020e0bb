import type { ContextPage } from '../../service/resources.js';
import { Refusal } from '../refusal.js';
import type { IdRange, Store } from '../store/database.js';
import { DOCUMENT_CELLS, DOCUMENT_TABLES, type DocumentRow, documentOf } from './find-documents.js';

/** What is asked for. */
export interface ContextCall {
  /** The document's id; a publication, a comment or a reply. */
  readonly id: number;
  readonly offset: number;
  readonly limit: number;
}

/** A document among its relatives. */
interface Member {
  readonly id: number;
  readonly monitoring: number;
  readonly source: string;
  readonly key: string;
  readonly parentKey: string | null;
  readonly published: number;
}

/**
 * The publication that a document belongs to, with all comments and replies, depth first. A reply
 * whose parent is not in the monitoring counts as a publication; of documents that reply to each
 * other in a circle, the oldest one does.
 */
export function readContext(store: Store, call: ContextCall): ContextPage {
  return store.transaction('read', () => {
    const hidden = store.visibility.hidden();
    const [start] = store.all<Member>(`${MEMBER} WHERE id = ?`, [call.id]);
    if (!start || isHidden(start, hidden)) {
      throw new Refusal('notFound', `There is no document ${call.id}.`);
    }
    const places = depthFirst(store, rootOf(store, start), hidden);
    const page = places.slice(call.offset, call.offset + call.limit);
    const rows = rowsOf(store, page);
    const documents = page.flatMap(({ id, parentId }) => {
      const row = rows.get(id);
      return row ? [{ ...documentOf(row), parentId }] : [];
    });
    return { documents, total: places.length, max: call.limit, offset: call.offset };
  });
}

const MEMBER = `
  SELECT id, monitoring_id AS monitoring, source, source_key AS key, parent_key AS parentKey,
    published_ms AS published
  FROM documents`;

/** The document that this one replies to: the first one with its parent's sourceId. */
function parentOf(store: Store, { monitoring, source, parentKey }: Member): Member | undefined {
  if (parentKey === null) return undefined;
  const sql = `${MEMBER} WHERE monitoring_id = ? AND source_key = ? AND source = ? ORDER BY id LIMIT 1`;
  return store.all<Member>(sql, [monitoring, parentKey, source])[0];
}

function rootOf(store: Store, start: Member): Member {
  const climbed = new Map<number, Member>();
  let at = start;
  while (!climbed.has(at.id)) {
    climbed.set(at.id, at);
    const parent = parentOf(store, at);
    if (!parent) return at;
    at = parent;
  }
  const path = [...climbed.values()];
  const circle = path.slice(path.findIndex(({ id }) => id === at.id));
  return circle.reduce((oldest, member) => (member.id < oldest.id ? member : oldest));
}

/** A document's place in the list, by ids. */
interface Place {
  readonly id: number;
  readonly parentId: number | null;
}

function depthFirst(store: Store, root: Member, hidden: readonly IdRange[]): Place[] {
  const replies = repliesBelow(store, root, hidden);
  const places: Place[] = [];
  // A stack of our own: a chain of replies may be longer than the language's.
  const ahead: Place[] = [{ id: root.id, parentId: null }];
  for (let next = ahead.pop(); next; next = ahead.pop()) {
    places.push(next);
    for (const reply of replies.get(next.id) ?? []) ahead.push(reply);
  }
  return places;
}

/** The replies to each document below the publication; last first, as they go onto a stack. */
function repliesBelow(
  store: Store,
  root: Member,
  hidden: readonly IdRange[],
): ReadonlyMap<number, readonly Place[]> {
  const replies = new Map<number, Place[]>();
  for (const place of store.all<Place & { parentId: number }>(TREE, [root.id])) {
    // In a circle the publication is a reply, too.
    if (place.id === root.id || isHidden(place, hidden)) continue;
    const siblings = replies.get(place.parentId);
    if (siblings) siblings.push(place);
    else replies.set(place.parentId, [place]);
  }
  return replies;
}

/** Of documents with the same sourceId, the first one has the replies. */
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

function rowsOf(store: Store, places: readonly Place[]): ReadonlyMap<number, DocumentRow> {
  const sql = `
    SELECT ${DOCUMENT_CELLS}
    FROM (SELECT value AS id FROM json_each(?)) AS page ${DOCUMENT_TABLES}`;
  const ids = JSON.stringify(places.map(({ id }) => id));
  return new Map(store.all<DocumentRow>(sql, [ids]).map((row) => [row.id, row]));
}
