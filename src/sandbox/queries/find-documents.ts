import type { DocumentsCall } from '../input/documents-call.js';
import type { Store } from '../store/open-store.js';
import { conditionOf } from './conditions.js';
import { type Document, type DocumentRow, documentOf } from './document.js';

/** The answer of `POST /documents`. */
export interface DocumentsPage {
  readonly documents: readonly Document[];
  /** How many documents match, on all pages. */
  readonly total: number;
  readonly offset: number;
}

/** One page of the matching documents, newest publication first, then newest id first. */
export function findDocuments(store: Store, call: DocumentsCall, pageSize: number): DocumentsPage {
  const { sql, values } = conditionOf(call.filter);
  // One transaction: `total` and the page are of the same moment, whoever imports meanwhile.
  return store.transaction('read', () => {
    const count = `SELECT count(*) AS total FROM documents WHERE ${sql}`;
    const total = store.all<{ total: number }>(count, values)[0]?.total ?? 0;
    const rows = store.all<DocumentRow>(pageOf(sql), [...values, pageSize, call.offset]);
    return { documents: rows.map(documentOf), total, offset: call.offset };
  });
}

/** The inner query skips and picks on the index alone; only the page's documents are read. */
function pageOf(condition: string): string {
  return `
    SELECT d.id, d.monitoring_id AS monitoring, d.author_id AS author, d.body
    FROM (
      SELECT id FROM documents WHERE ${condition}
      ORDER BY published_ms DESC, id DESC LIMIT ? OFFSET ?
    ) AS page
    JOIN documents AS d ON d.id = page.id
    ORDER BY d.published_ms DESC, d.id DESC`;
}
