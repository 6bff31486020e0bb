import { MOST_FEED_DOCUMENTS } from '../../service/rankings.js';
import type { FeedPage } from '../../service/resources.js';
import type { DocumentFilter } from '../input/document-filter.js';
import type { Cursor } from '../input/documents-call.js';
import type { Store } from '../store/open-store.js';
import { allOf, type Condition, conditionOf } from './conditions.js';
import { DOCUMENT_CELLS, DOCUMENT_TABLES, type DocumentRow, documentOf } from './document.js';
import { countDocuments } from './find-documents.js';

/** Where the feed begins: at the first moment that a timestamp can say. */
const BEGINNING: Cursor = { downloaded: Date.parse('0000-01-01T00:00:00Z') / 1000, id: 0 };

/** The next documents behind the cursor, by the second of their download, then by id. */
export function readFeed(
  store: Store,
  filter: DocumentFilter,
  cursor: Cursor = BEGINNING,
): FeedPage {
  return store.transaction('read', () => {
    const rest = allOf([conditionOf(store, filter), behind(cursor)]);
    const rows = pageOf(store, rest);
    const last = rows.at(-1);
    return {
      documents: rows.map(documentOf),
      remaining: countDocuments(store, rest) - rows.length,
      nextCursor: written(last ? { downloaded: last.downloaded, id: last.id } : cursor),
    };
  });
}

type FeedRow = DocumentRow & { readonly downloaded: number };

function behind({ downloaded, id }: Cursor): Condition {
  // The first part alone can use the index, which SQLite does not see in the second.
  return {
    sql: 'd.downloaded_s >= ? AND (d.downloaded_s > ? OR d.id > ?)',
    values: [downloaded, downloaded, id],
  };
}

function pageOf(store: Store, { sql, values }: Condition): FeedRow[] {
  const page = `
    SELECT ${DOCUMENT_CELLS}, page.downloaded_s AS downloaded
    FROM (
      SELECT d.id, d.downloaded_s FROM documents AS d WHERE ${sql}
      ORDER BY d.downloaded_s, d.id LIMIT ${MOST_FEED_DOCUMENTS}
    ) AS page ${DOCUMENT_TABLES}
    ORDER BY page.downloaded_s, page.id`;
  return store.all<FeedRow>(page, values);
}

function written({ downloaded, id }: Cursor): string {
  const digits = new Date(downloaded * 1000).toISOString().replaceAll(/\D/g, '').slice(0, 14);
  return `${digits}.${id}`;
}
