/**
 * The codes of the service, from the reference's sections "Search", "Document" and "Filters".
 * The complete 5.0 table of source codes is not shown; these are all that the reference names.
 */

/** Codes that a search may name. */
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

/** The code of imported documents. */
export const IMPORT_SOURCE = 'RVW';

const CURRENT_SOURCES = ['FCB', 'FCG', 'ITG', 'RVW'] as const;
const LEGACY_SOURCES = [
  'GNW',
  'GPL',
  'FCI',
  'FSQ',
  'FSP',
  'GBL',
  'LKD',
  'OKT',
  'TMB',
  'WRP',
] as const;

/** See {@link DOCUMENT_SOURCES}. */
export type SourceCode =
  | SearchSource
  | (typeof CURRENT_SOURCES)[number]
  | (typeof LEGACY_SOURCES)[number];

/** Codes that documents may carry, and so the ones a filter may name (5.0 and the 4.0 table). */
export const DOCUMENT_SOURCES: readonly SourceCode[] = [
  ...SEARCH_SOURCES,
  ...CURRENT_SOURCES,
  ...LEGACY_SOURCES,
];

/** Sources for which a search's `language` counts; the service ignores it elsewhere. */
export const SOURCES_WITH_LANGUAGE = ['NTC', 'TWT'] as const;

/** Sources for which a search's `includeComments` counts; the service ignores it elsewhere. */
export const SOURCES_WITH_COMMENTS = ['FCP', 'ITB', 'YTB'] as const;

/** Languages that searches and filters may name. */
export const LANGUAGES = ['cs', 'de', 'en', 'es', 'fr', 'nl', 'pt'] as const;

/** See {@link LANGUAGES}. */
export type Language = (typeof LANGUAGES)[number];

/** `B` good, `N` neutral, `R` bad. */
export const SENTIMENTS = ['B', 'N', 'R'] as const;

/** See {@link SENTIMENTS}. */
export type Sentiment = (typeof SENTIMENTS)[number];

/** An active monitoring captures and consumes credits, a paused one does neither. */
export const STATUSES = ['active', 'paused'] as const;

/** See {@link STATUSES}. */
export type MonitoringStatus = (typeof STATUSES)[number];

/** Most characters of a monitoring's title. */
export const MAX_TITLE_CHARACTERS = 255;

/** Whether a value is one of these codes. */
export function isOneOf<Code extends string>(
  codes: readonly Code[],
  value: unknown,
): value is Code {
  return codes.includes(value as Code);
}

/**
 * `docRanking`, but for `interactions`, which no `viewSource` restricts, with the values of
 * `viewSource` that allow it (reference, "POST /documents" and "POST /authors"). All rank downwards.
 */
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
