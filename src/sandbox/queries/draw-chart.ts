import type { DocumentFilter } from '../input/document-filter.js';
import type { Store } from '../store/database.js';
import { conditionOf } from './conditions.js';

/** What `POST /chart` gives here; the reference does not show it. */
export interface Chart {
  /** Days in UTC on which documents were published, oldest first. */
  readonly chart: readonly { readonly date: string; readonly documents: number }[];
}

/** How many of the matching documents were published on each day. */
export function drawChart(store: Store, filter: DocumentFilter): Chart {
  const { sql, values } = conditionOf(store, filter);
  const days = `
    SELECT strftime('%Y-%m-%d', d.published_ms / 1000.0, 'unixepoch') AS date, count(*) AS documents
    FROM documents AS d WHERE ${sql} GROUP BY date ORDER BY date`;
  const rows = store.all<{ date: string; documents: number }>(days, values);
  return { chart: rows.map(({ date, documents }) => ({ date, documents })) };
}
