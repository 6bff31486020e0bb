/**
 * Codes of the service, from the reference's sections "Search", "Document" and "Filters". The
 * reference doesn't show the complete 5.0 table of source codes; these are all that it names.
 */

/** Source codes of searches. */
export const SEARCH_SOURCES = [
  'FCP',
  'GPC',
  'ITB',
  'NTC',
  'RSS',
  'TPA',
  'TPD',
  'TPR',
  'TTK',
  'TWT',
  'YTB',
] as const;

/** See {@link SEARCH_SOURCES}. */
export type SearchSource = (typeof SEARCH_SOURCES)[number];

/** Other source codes of 5.0, then those of the 4.0 table. */
const OTHER_SOURCES = [
  ...(['FCB', 'FCG', 'ITG', 'RVW'] as const),
  ...(['GNW', 'GPL', 'FCI', 'FSQ', 'FSP', 'GBL', 'LKD', 'OKT', 'TMB', 'WRP'] as const),
] as const;

/** See {@link DOCUMENT_SOURCES}. */
export type SourceCode = SearchSource | (typeof OTHER_SOURCES)[number];

/** Source codes of documents, and so of filters (5.0 and the 4.0 table). */
export const DOCUMENT_SOURCES: readonly SourceCode[] = [...SEARCH_SOURCES, ...OTHER_SOURCES];

/** Sources whose searches have these settings; the service ignores them elsewhere. */
export const SOURCES_WITH = {
  language: ['NTC', 'TWT'],
  includeComments: ['FCP', 'ITB', 'YTB'],
} as const;

/** Languages of searches and filters. */
export const LANGUAGES = ['cs', 'de', 'en', 'es', 'fr', 'nl', 'pt'] as const;

/** See {@link LANGUAGES}. */
export type Language = (typeof LANGUAGES)[number];

/** `B` good, `N` neutral, `R` bad. */
export const SENTIMENTS = ['B', 'N', 'R'] as const;

/** See {@link SENTIMENTS}. */
export type Sentiment = (typeof SENTIMENTS)[number];

/** An active monitoring captures and consumes credits; a paused one does neither. */
export const STATUSES = ['active', 'paused'] as const;

/** See {@link STATUSES}. */
export type MonitoringStatus = (typeof STATUSES)[number];

export const MAX_TITLE_CHARACTERS = 255;

export function isOneOf<Code extends string>(
  codes: readonly Code[],
  value: unknown,
): value is Code {
  return codes.includes(value as Code);
}

/**
 * Values of `docRanking`, except `interactions`, with the values of `viewSource` that allow each
 * (reference, "POST /documents" and "POST /authors"). All rank in descending order.
 */
export const DOC_RANKINGS = {
  likes: ['FCP', 'FCB', 'FCG', 'TWT', 'ITG', 'ITB', 'YTB', 'NTC'],
  comments: ['FCP', 'FCB', 'FCG', 'ITG', 'ITB', 'YTB', 'NTC'],
  shares: ['FCP', 'FCB', 'FCG', 'TWT', 'NTC'],
  impressions: ['TWT', 'ITG', 'ITB'],
  followers: ['TWT', 'ITG', 'ITB', 'YTB'],
} as const;

/** Values of `authorRanking`: by the total over the author's matching posts, except `followers`. */
export const AUTHOR_RANKINGS = {
  interactions: DOC_RANKINGS.likes,
  ...DOC_RANKINGS,
} as const;

/** Order of documents. */
export type DocRanking = 'interactions' | keyof typeof DOC_RANKINGS;

/** Order of authors; default: most publications first. */
export type AuthorRanking = keyof typeof AUTHOR_RANKINGS;

export const MAX_RANKED_AUTHORS = 200;

/** Page size of the feed. */
export const MAX_FEED_DOCUMENTS = 100;
