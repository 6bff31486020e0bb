/** Codes that a search may name (5.0). */
export const SEARCH_SOURCES: readonly string[] = [
  ...['FCP', 'GPC', 'ITB', 'NTC', 'RSS', 'TPA', 'TPD', 'TPR', 'TTK', 'TWT', 'YTB'],
];

/** The code of imported documents. */
export const IMPORT_SOURCE = 'RVW';

/** Codes that documents may carry, and so the ones a filter may name (5.0 and the 4.0 table). */
export const DOCUMENT_SOURCES: readonly string[] = [
  ...SEARCH_SOURCES,
  ...['FCB', 'FCG', 'ITG', IMPORT_SOURCE],
  ...['GNW', 'GPL', 'FCI', 'FSQ', 'FSP', 'GBL', 'LKD', 'OKT', 'TMB', 'WRP'],
];

/** Sources for which a search's `language` counts. */
export const SOURCES_WITH_LANGUAGE: readonly string[] = ['NTC', 'TWT'];

/** Sources for which a search's `includeComments` counts. */
export const SOURCES_WITH_COMMENTS: readonly string[] = ['FCP', 'ITB', 'YTB'];

/** Languages that a search may name. */
export const SEARCH_LANGUAGES: readonly string[] = ['cs', 'de', 'en', 'es', 'fr', 'nl', 'pt'];
