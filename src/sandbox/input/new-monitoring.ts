import { isObject } from '../../model/record.js';
import {
  isOneOf,
  LANGUAGES,
  MAX_TITLE_CHARACTERS,
  SEARCH_SOURCES,
  SOURCES_WITH_COMMENTS,
  SOURCES_WITH_LANGUAGE,
  STATUSES,
} from '../../service/codes.js';
import type { NewMonitoring, NewSearch } from '../../service/resources.js';
import { Refusal } from '../refusal.js';
import { boolean, type Check, check, filledListOf, filledString, object, oneOf } from './checks.js';

/** Reads the body of `POST /monitorings`. Refuses with 400. */
export function checkNewMonitoring(body: unknown): NewMonitoring {
  const { title, status, searches } = checked(body, checkMonitoring) as NewMonitoring;
  return { title, status, searches: searches.map(dropIgnoredFields) };
}

/** Reads the body of `POST /monitorings/{id}/title`. Refuses as {@link checkNewMonitoring} does. */
export function checkNewTitle(body: unknown): string {
  return (checked(body, checkTitle) as { title: string }).title;
}

/** Reads the body of `POST /monitorings/{id}/searches`. Refuses as {@link checkNewMonitoring} does. */
export function checkNewSearches(body: unknown): readonly NewSearch[] {
  return (checked(body, checkSearches) as { searches: NewSearch[] }).searches.map(
    dropIgnoredFields,
  );
}

function checked(body: unknown, checkAll: Check): unknown {
  const faults: string[] = [];
  checkAll(body, '', faults);
  if (faults.length > 0) throw new Refusal('invalid', faults);
  return body;
}

const title = check(
  `a string of 1 to ${MAX_TITLE_CHARACTERS} characters`,
  (value) => typeof value === 'string' && value !== '' && [...value].length <= MAX_TITLE_CHARACTERS,
);

const plainSearch = object({ source: oneOf(SEARCH_SOURCES), query: filledString }, [
  'source',
  'query',
]);
const withLanguage = object({ language: oneOf(LANGUAGES) }, []);
const withComments = object({ includeComments: boolean }, []);

const search: Check = (value, path, faults) => {
  plainSearch(value, path, faults);
  if (!isObject(value)) return;
  const source = value['source'] as string;
  if (isOneOf(SOURCES_WITH_LANGUAGE, source)) withLanguage(value, path, faults);
  if (isOneOf(SOURCES_WITH_COMMENTS, source)) withComments(value, path, faults);
};

const searches = filledListOf(search);
const checkMonitoring = object({ title, status: oneOf(STATUSES), searches }, [
  ...['title', 'status', 'searches'],
]);
const checkTitle = object({ title }, ['title']);
const checkSearches = object({ searches }, ['searches']);

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
