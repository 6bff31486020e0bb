import type { Monitoring, MonitoringSummary, Search } from '../../service/resources.js';
import type { Kind } from '../output/kind.js';

/** Monitorings as the list shows them. */
export const SUMMARY_KIND: Kind<MonitoringSummary> = {
  csv: ['id', 'title', 'status'],
  table: [
    { title: 'id', cell: ({ id }) => id, align: 'right' },
    { title: 'status', cell: ({ status }) => status },
    { title: 'title', cell: ({ title }) => title },
  ],
};

/** A search beside the monitoring it belongs to; `null` for a monitoring without searches. */
export interface MonitoredSearch {
  readonly id: number;
  readonly title: string;
  readonly status: string;
  readonly search: Search | null;
  readonly [field: string]: unknown;
}

/** The searches of one monitoring, which is itself repeated in every row of a CSV. */
export const SEARCH_KIND: Kind<MonitoredSearch> = {
  csv: [
    ...['id', 'title', 'status', 'search.id', 'search.source', 'search.query'],
    ...['search.language', 'search.includeComments', 'search.lastProcessed'],
  ],
  table: [
    { title: 'search', cell: ({ search }) => search?.id, align: 'right' },
    { title: 'source', cell: ({ search }) => search?.source },
    { title: 'language', cell: ({ search }) => search?.language },
    { title: 'comments', cell: ({ search }) => yesOrNo(search?.includeComments) },
    { title: 'last processed', cell: ({ search }) => search?.lastProcessed ?? 'not yet' },
    { title: 'query', cell: ({ search }) => search?.query },
  ],
};

function yesOrNo(value: boolean | undefined): string {
  if (value === undefined) return '';
  return value ? 'yes' : 'no';
}

/** A monitoring as rows: one a search, or one without. */
export function searchRows({ searches, ...monitoring }: Monitoring): readonly MonitoredSearch[] {
  const found = searches.length === 0 ? [null] : searches;
  return found.map((search) => ({ ...monitoring, search }));
}
