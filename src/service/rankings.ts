/**
 * What documents and authors can be ranked by, and for which values of `viewSource`: the tables of
 * the reference's sections "POST /documents" and "POST /authors". All rank downwards.
 */

/** `docRanking`, but for `interactions`, which no `viewSource` restricts. */
export const DOC_RANKINGS = {
  likes: ['FCP', 'FCB', 'FCG', 'TWT', 'ITG', 'ITB', 'YTB', 'NTC'],
  comments: ['FCP', 'FCB', 'FCG', 'ITG', 'ITB', 'YTB', 'NTC'],
  shares: ['FCP', 'FCB', 'FCG', 'TWT', 'NTC'],
  impressions: ['TWT', 'ITG', 'ITB'],
  followers: ['TWT', 'ITG', 'ITB', 'YTB'],
} as const;

/** `authorRanking`: by the total over the author's filtered posts, but `followers` by their number. */
export const AUTHOR_RANKINGS = {
  interactions: DOC_RANKINGS.likes,
  ...DOC_RANKINGS,
} as const;

/** A way to rank documents. */
export type DocRanking = 'interactions' | keyof typeof DOC_RANKINGS;

/** A way to rank authors. Without one, those with most publications come first. */
export type AuthorRanking = keyof typeof AUTHOR_RANKINGS;

/** Most authors that a ranking holds. */
export const MAX_RANKED_AUTHORS = 200;

/** Most documents in one response of the feed. */
export const MAX_FEED_DOCUMENTS = 100;
