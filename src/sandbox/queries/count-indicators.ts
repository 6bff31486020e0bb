import { DOC_RANKINGS } from '../../service/codes.js';
import type { Indicators } from '../../service/resources.js';
import type { DocumentFilter } from '../input/document-filter.js';
import type { Store } from '../store/database.js';
import { conditionOf } from './conditions.js';

/**
 * Counts the indicators of the matching documents, in this period and in the one of the same length
 * before it. Names are those of 4.0, which has all of them; 5.0 has those of shares and impressions
 * only for networks that have these. The definitions are assumed.
 */
export function countIndicators(
  store: Store,
  filter: DocumentFilter,
  version: '4.0' | '5.0',
): Indicators {
  return store.transaction('read', () => {
    const current = Object.entries(indicatorsOf(sumsOf(store, filter)));
    const previous = indicatorsOf(sumsOf(store, periodBefore(filter)));
    const indicators = current.map(([name, currentValue]) => ({
      name,
      currentValue,
      previousValue: previous[name] as number,
    }));
    return {
      indicators: indicators.filter(({ name }) => version === '4.0' || isAvailable(filter, name)),
    };
  });
}

interface Sums {
  readonly posts: number;
  readonly interactions: number;
  readonly shares: number;
  readonly impressions: number;
}

function indicatorsOf({ posts, interactions, shares, impressions }: Sums): Record<string, number> {
  return {
    posts,
    replication: shares,
    avgReplicationPerPost: average(shares, posts),
    overallEngagement: interactions,
    wgtAvgEngagementPerPost: average(interactions, posts),
    postImpressions: impressions,
    avgImpressionsPerPost: average(impressions, posts),
  };
}

/** Returns whether the network has an indicator; its name shows what it derives from. */
function isAvailable({ viewSource }: DocumentFilter, indicator: string): boolean {
  const { shares, impressions }: Readonly<Record<string, readonly unknown[]>> = DOC_RANKINGS;
  if (/replication/i.test(indicator)) return shares?.includes(viewSource) === true;
  return !/impressions/i.test(indicator) || impressions?.includes(viewSource) === true;
}

function average(sum: number, count: number): number {
  return count === 0 ? 0 : sum / count;
}

const MINUTE_MS = 60_000;

function periodBefore(filter: DocumentFilter): DocumentFilter {
  if (!filter.window) return filter;
  const { start, end } = filter.window;
  // Ends are inclusive, so the previous window ends a minute before this one starts.
  return {
    ...filter,
    window: { start: start - (end - start) - MINUTE_MS, end: start - MINUTE_MS },
  };
}

function sumsOf(store: Store, filter: DocumentFilter): Sums {
  const { sql, values } = conditionOf(store, filter);
  const sums = `
    SELECT count(*) AS posts, total(d.likes + d.comments + d.shares) AS interactions,
      total(d.shares) AS shares, total(d.impressions) AS impressions
    FROM documents AS d WHERE ${sql}`;
  // There is a row even without documents.
  return store.all<Sums>(sums, values)[0] as Sums;
}

/** Response to `POST /chart`, which is assumed: the reference doesn't show it. */
export interface Chart {
  /** Days (UTC) on which documents were published, oldest first. */
  readonly chart: readonly { readonly date: string; readonly documents: number }[];
}

export function drawChart(store: Store, filter: DocumentFilter): Chart {
  const { sql, values } = conditionOf(store, filter);
  const days = `
    SELECT strftime('%Y-%m-%d', d.published_ms / 1000.0, 'unixepoch') AS date, count(*) AS documents
    FROM documents AS d WHERE ${sql} GROUP BY date ORDER BY date`;
  const rows = store.all<{ date: string; documents: number }>(days, values);
  return { chart: rows.map(({ date, documents }) => ({ date, documents })) };
}
