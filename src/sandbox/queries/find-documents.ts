import type { DocumentsPage } from '../../service/resources.js';
import type { DocumentFilter } from '../input/document-filter.js';
import type { Ranking } from '../input/documents-call.js';
import type { Store } from '../store/database.js';
import { type Condition, conditionOf } from './conditions.js';
import { DOCUMENT_CELLS, DOCUMENT_TABLES, type DocumentRow, documentOf } from './document.js';

/** Which part of the ranked documents is asked for. */
export interface Slice {
  /** `undefined`: newest publication first. */
  readonly ranking: Ranking | undefined;
  readonly offset: number;
  readonly limit: number;
}

/**
 * One page of the matching documents, as the JSON of a `DocumentsPage`: a text goes from thread to
 * thread at a fraction of what objects cost. Those of equal rank: newest publication, then newest id
 * first.
 */
export function findDocuments(store: Store, filter: DocumentFilter, slice: Slice): string {
  const condition = conditionOf(store, filter);
  // One transaction: `total` and the page are of the same moment, whoever imports meanwhile.
  const page: DocumentsPage = store.transaction('read', () => ({
    documents: pageOf(store, condition, slice).map(documentOf),
    total: countDocuments(store, condition),
    offset: slice.offset,
  }));
  return JSON.stringify(page);
}

/** How many documents match. */
export function countDocuments(store: Store, { sql, values }: Condition): number {
  const count = `SELECT count(*) AS total FROM documents AS d WHERE ${sql}`;
  return store.all<{ total: number }>(count, values)[0]?.total ?? 0;
}

/** The inner query skips and picks; only the page's documents are read. */
function pageOf(store: Store, { sql, values }: Condition, slice: Slice): DocumentRow[] {
  const rank = slice.ranking === undefined ? '' : `${RANKS[slice.ranking]} DESC,`;
  const page = `
    SELECT ${DOCUMENT_CELLS}
    FROM (
      SELECT d.id, row_number() OVER () AS place FROM (
        SELECT d.id FROM documents AS d WHERE ${sql}
        ORDER BY ${rank} d.published_ms DESC, d.id DESC LIMIT ? OFFSET ?
      ) AS d
    ) AS page ${DOCUMENT_TABLES}
    ORDER BY page.place`;
  return store.all<DocumentRow>(page, [...values, slice.limit, slice.offset]);
}

/** What each ranking orders by; the reference does not say what an interaction is. */
export const RANKS: Readonly<Record<Ranking, string>> = {
  interactions: '(d.likes + d.comments + d.shares)',
  likes: 'd.likes',
  comments: 'd.comments',
  shares: 'd.shares',
  impressions: 'd.impressions',
  followers: '(SELECT followers FROM authors WHERE id = d.author_id)',
};
