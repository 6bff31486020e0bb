import { MAX_FEED_DOCUMENTS } from '../../service/codes.js';
import type { FeedPage } from '../../service/resources.js';
import type { DocumentFilter } from '../input/document-filter.js';
import type { Cursor } from '../input/documents-call.js';
import type { Store } from '../store/database.js';
import { allOf, type Condition, conditionOf } from './conditions.js';
import {
  countDocuments,
  DOCUMENT_CELLS,
  DOCUMENT_TABLES,
  type DocumentRow,
  documentOf,
} from './find-documents.js';

/** Start of the feed: the earliest possible timestamp. */
const FEED_START: Cursor = { downloaded: Date.parse('0000-01-01T00:00:00Z') / 1000, id: 0 };

/** Returns the next documents after the cursor, sorted by second of download, then by id. */
export function readFeed(
  store: Store,
  filter: DocumentFilter,
  cursor: Cursor = FEED_START,
): FeedPage {
  return store.transaction('read', () => {
    const condition = conditionOf(store, filter);
    const parts = afterCursor(cursor).map((part) => allOf([condition, part]));
    const rows = readFeedPage(store, parts);
    const last = rows.at(-1);
    const nextCursor = cursorText(last ? { downloaded: last.downloaded, id: last.id } : cursor);
    const all = parts.reduce((sum, part) => sum + countDocuments(store, part), 0);
    const remaining = all - rows.length;
    return { documents: rows.map(documentOf), remaining, nextCursor };
  });
}

type FeedRow = DocumentRow & { readonly downloaded: number };

/**
 * Splits what follows a cursor in two: the rest of its second, which may hold a whole import, and
 * all later ones. SQLite's index serves each condition directly, but not both as one.
 */
function afterCursor({ downloaded, id }: Cursor): readonly Condition[] {
  return [
    { sql: 'd.downloaded_s = ? AND d.id > ?', values: [downloaded, id] },
    { sql: 'd.downloaded_s > ?', values: [downloaded] },
  ];
}

function readFeedPage(store: Store, parts: readonly Condition[]): FeedRow[] {
  return parts.reduce<FeedRow[]>((rows, part) => {
    const limit = MAX_FEED_DOCUMENTS - rows.length;
    return limit === 0 ? rows : rows.concat(readFirst(store, part, limit));
  }, []);
}

function readFirst(store: Store, { sql, values }: Condition, limit: number): FeedRow[] {
  const page = `
    SELECT ${DOCUMENT_CELLS}, page.downloaded_s AS downloaded
    FROM (
      SELECT d.id, d.downloaded_s FROM documents AS d WHERE ${sql}
      ORDER BY d.downloaded_s, d.id LIMIT ?
    ) AS page ${DOCUMENT_TABLES}
    ORDER BY page.downloaded_s, page.id`;
  return store.all<FeedRow>(page, [...values, limit]);
}

function cursorText({ downloaded, id }: Cursor): string {
  const digits = new Date(downloaded * 1000).toISOString().replaceAll(/\D/g, '').slice(0, 14);
  return `${digits}.${id}`;
}
