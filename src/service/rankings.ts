/**
 * What documents and authors can be ranked by, and for which values of `viewSource`: the tables of
 * the reference's sections "POST /documents" and "POST /authors". All rank downwards.
 */

const REACTED = ['FCP', 'FCB', 'FCG', 'TWT', 'ITG', 'ITB', 'YTB', 'NTC'] as const;
const COMMENTED = ['FCP', 'FCB', 'FCG', 'ITG', 'ITB', 'YTB', 'NTC'] as const;
const SHARED = ['FCP', 'FCB', 'FCG', 'TWT', 'NTC'] as const;
const SEEN = ['TWT', 'ITG', 'ITB'] as const;
const FOLLOWED = ['TWT', 'ITG', 'ITB', 'YTB'] as const;

/** `docRanking`, but for `interactions`, which no `viewSource` restricts. */
export const DOC_RANKINGS = {
  likes: REACTED,
  comments: COMMENTED,
  shares: SHARED,
  impressions: SEEN,
  followers: FOLLOWED,
} as const;

/** `authorRanking`: by the total over the author's filtered posts, but `followers` by their number. */
export const AUTHOR_RANKINGS = {
  interactions: REACTED,
  likes: REACTED,
  comments: COMMENTED,
  shares: SHARED,
  impressions: SEEN,
  followers: FOLLOWED,
} as const;

/** A way to rank documents. */
export type DocRanking = 'interactions' | keyof typeof DOC_RANKINGS;

/** A way to rank authors. Without one, those with most publications come first. */
export type AuthorRanking = keyof typeof AUTHOR_RANKINGS;

/** Most authors that a ranking holds. */
export const MOST_RANKED_AUTHORS = 200;

/** Most documents in one response of the feed. */
export const MOST_FEED_DOCUMENTS = 100;
