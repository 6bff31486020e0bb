/**
 * Which `viewSource` allows which ranking, written down here from the reference once more: the
 * tables in `src/service` are what these cases look at.
 */

/** Every code that a document may carry, and so a `viewSource` may name. */
export const CODES = [
  ...['FCP', 'GPC', 'ITB', 'NTC', 'RSS', 'TPA', 'TPD', 'TPR', 'TTK', 'TWT', 'YTB'],
  ...['FCB', 'FCG', 'ITG', 'RVW'],
  ...['GNW', 'GPL', 'FCI', 'FSQ', 'FSP', 'GBL', 'LKD', 'OKT', 'TMB', 'WRP'],
] as const;

const LIKES = ['FCP', 'FCB', 'FCG', 'TWT', 'ITG', 'ITB', 'YTB', 'NTC'];

/** The rankings that documents and authors have in common. */
export const AVAILABLE: Readonly<Record<string, readonly string[]>> = {
  likes: LIKES,
  comments: ['FCP', 'FCB', 'FCG', 'ITG', 'ITB', 'YTB', 'NTC'],
  shares: ['FCP', 'FCB', 'FCG', 'TWT', 'NTC'],
  impressions: ['TWT', 'ITG', 'ITB'],
  followers: ['TWT', 'ITG', 'ITB', 'YTB'],
};

/** `authorRanking` has its interactions only where there are likes; `docRanking` has them always. */
export const INTERACTIONS_OF_AUTHORS: readonly string[] = LIKES;
