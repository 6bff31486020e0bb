import { isOneOf, SOURCES_WITH_COMMENTS, SOURCES_WITH_LANGUAGE } from '../../service/codes.js';
import type { NewMonitoring, NewSearch } from '../../service/resources.js';
import { checkBody } from './check-body.js';

/** Reads the body of `POST /monitorings`. Refuses with 400. */
export function checkNewMonitoring(body: unknown): NewMonitoring {
  checkBody('NewMonitoring', body);
  const { title, status, searches } = body as NewMonitoring;
  return { title, status, searches: searches.map(dropIgnoredFields) };
}

/** Reads the body of `POST /monitorings/{id}/title`. Refuses as {@link checkNewMonitoring} does. */
export function checkNewTitle(body: unknown): string {
  checkBody('NewTitle', body);
  return (body as { title: string }).title;
}

/** Reads the body of `POST /monitorings/{id}/searches`. Refuses as {@link checkNewMonitoring} does. */
export function checkNewSearches(body: unknown): readonly NewSearch[] {
  checkBody('AddedSearches', body);
  return (body as { searches: NewSearch[] }).searches.map(dropIgnoredFields);
}

function dropIgnoredFields({ source, query, language, includeComments }: NewSearch): NewSearch {
  const languageCounts = language !== undefined && isOneOf(SOURCES_WITH_LANGUAGE, source);
  const commentsCount = includeComments !== undefined && isOneOf(SOURCES_WITH_COMMENTS, source);
  return {
    source,
    query,
    ...(languageCounts && { language }),
    ...(commentsCount && { includeComments }),
  };
}
