import {
  isOneOf,
  LANGUAGES,
  SEARCH_SOURCES,
  SOURCES_WITH_COMMENTS,
  SOURCES_WITH_LANGUAGE,
} from '../../service/codes.js';
import { Refusal } from '../answers.js';
import {
  type Check,
  check,
  filledListOf,
  filledString,
  isObject,
  object,
  oneOf,
} from './checks.js';

/** A search as it is configured; `language` and `includeComments` only where they count. */
export interface NewSearch {
  readonly source: string;
  readonly query: string;
  readonly language?: string;
  readonly includeComments?: boolean;
}

/** A monitoring as a caller asks for it. */
export interface NewMonitoring {
  readonly title: string;
  readonly status: string;
  readonly searches: readonly NewSearch[];
}

/** Reads the body of `POST /monitorings`. Refuses with 400. */
export function checkNewMonitoring(body: unknown): NewMonitoring {
  const faults: string[] = [];
  checkBody(body, '', faults);
  if (faults.length > 0) throw new Refusal(400, faults);
  const { title, status, searches } = body as NewMonitoring;
  return { title, status, searches: searches.map(keepWhatCounts) };
}

const title = check(
  'a string of 1 to 255 characters',
  (value) => typeof value === 'string' && value !== '' && [...value].length <= 255,
);

const plainSearch = object({ source: oneOf(SEARCH_SOURCES), query: filledString }, [
  'source',
  'query',
]);
const withLanguage = object({ language: oneOf(LANGUAGES) }, []);
const withComments = object(
  { includeComments: check('true or false', (value) => typeof value === 'boolean') },
  [],
);

const search: Check = (value, path, faults) => {
  plainSearch(value, path, faults);
  if (!isObject(value)) return;
  const source = value['source'] as string;
  if (isOneOf(SOURCES_WITH_LANGUAGE, source)) withLanguage(value, path, faults);
  if (isOneOf(SOURCES_WITH_COMMENTS, source)) withComments(value, path, faults);
};

const checkBody = object(
  { title, status: oneOf(['active', 'paused']), searches: filledListOf(search) },
  ['title', 'status', 'searches'],
);

function keepWhatCounts({ source, query, language, includeComments }: NewSearch): NewSearch {
  const languageCounts = language !== undefined && isOneOf(SOURCES_WITH_LANGUAGE, source);
  const commentsCount = includeComments !== undefined && isOneOf(SOURCES_WITH_COMMENTS, source);
  return {
    source,
    query,
    ...(languageCounts && { language }),
    ...(commentsCount && { includeComments }),
  };
}
