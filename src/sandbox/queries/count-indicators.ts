import { DOC_RANKINGS } from '../../service/rankings.js';
import type { Indicator, Indicators } from '../../service/resources.js';
import type { DocumentFilter } from '../input/document-filter.js';
import type { Store } from '../store/database.js';
import { conditionOf } from './conditions.js';

/**
 * The indicators of the matching documents, beside those of the period of the same length that
 * ends where this one begins. Names are those of 4.0, which gives all of them; 5.0 gives those of
 * shares and impressions only for a network that has them. What each one counts is assumed.
 */
export function countIndicators(
  store: Store,
  filter: DocumentFilter,
  version: '4.0' | '5.0',
): Indicators {
  return store.transaction('read', () => {
    const current = sumsOf(store, filter);
    const previous = sumsOf(store, periodBefore(filter));
    const indicators = INDICATORS.filter(
      ({ shownFor }) => version === '4.0' || shownFor(filter),
    ).map(
      ({ name, value }): Indicator => ({
        name,
        currentValue: value(current),
        previousValue: value(previous),
      }),
    );
    return { indicators };
  });
}

interface Sums {
  readonly posts: number;
  readonly interactions: number;
  readonly shares: number;
  readonly impressions: number;
}

interface IndicatorRule {
  readonly name: string;
  readonly shownFor: (filter: DocumentFilter) => boolean;
  readonly value: (sums: Sums) => number;
}

const always = (): boolean => true;
const hasShares = ({ viewSource }: DocumentFilter): boolean =>
  (DOC_RANKINGS.shares as readonly unknown[]).includes(viewSource);
const hasImpressions = ({ viewSource }: DocumentFilter): boolean =>
  (DOC_RANKINGS.impressions as readonly unknown[]).includes(viewSource);

const INDICATORS: readonly IndicatorRule[] = [
  { name: 'posts', shownFor: always, value: ({ posts }) => posts },
  { name: 'replication', shownFor: hasShares, value: ({ shares }) => shares },
  {
    name: 'avgReplicationPerPost',
    shownFor: hasShares,
    value: ({ shares, posts }) => average(shares, posts),
  },
  { name: 'overallEngagement', shownFor: always, value: ({ interactions }) => interactions },
  {
    name: 'wgtAvgEngagementPerPost',
    shownFor: always,
    value: ({ interactions, posts }) => average(interactions, posts),
  },
  { name: 'postImpressions', shownFor: hasImpressions, value: ({ impressions }) => impressions },
  {
    name: 'avgImpressionsPerPost',
    shownFor: hasImpressions,
    value: ({ impressions, posts }) => average(impressions, posts),
  },
];

function average(sum: number, count: number): number {
  return count === 0 ? 0 : sum / count;
}

const MINUTE_MS = 60_000;

function periodBefore(filter: DocumentFilter): DocumentFilter {
  if (!filter.window) return filter;
  const { start, end } = filter.window;
  // The last minute of a window counts, so the one before ends a minute before this one begins.
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
  const none = { posts: 0, interactions: 0, shares: 0, impressions: 0 };
  const { posts, interactions, shares, impressions } = store.all<Sums>(sums, values)[0] ?? none;
  return { posts, interactions, shares, impressions };
}
