import { isOneOf, SOURCES_WITH_COMMENTS, SOURCES_WITH_LANGUAGE } from '../../service/codes.js';
import type { NewMonitoring, NewSearch } from '../../service/resources.js';
import { pathText } from '../../validation/explain-errors.js';
import { type ApiSchema, schemaMistakes } from '../../validation/schemas.js';
import { Refusal } from '../refusal.js';

/**
 * Checks a body against its schema in `schemas/openapi.yaml`. Refuses it with a message for each
 * mistake.
 */
export function checkBody(schema: ApiSchema, body: unknown): void {
  const mistakes = schemaMistakes(schema, body);
  if (mistakes.length === 0) return;
  const messages = mistakes.map(({ path, predicate }) => {
    const end = predicate.endsWith('?') ? '' : '.';
    return `${pathText(path) || 'The body'} ${predicate}${end}`;
  });
  throw new Refusal('invalid', messages);
}

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
