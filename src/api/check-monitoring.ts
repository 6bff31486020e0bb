import { OptionError } from '../model/errors.js';
import {
  isOneOf,
  LANGUAGES,
  MOST_TITLE_CHARACTERS,
  SEARCH_SOURCES,
  SOURCES_WITH_COMMENTS,
  SOURCES_WITH_LANGUAGE,
  STATUSES,
} from '../service/codes.js';
import type { NewMonitoring, NewSearch } from '../service/resources.js';
import { showValue } from './show-value.js';

/** Told of what the service would ignore. */
export type Warn = (message: string) => void;

/** Refuses a monitoring that the service would refuse (reference, "Monitoring" and "Search"). */
export function checkNewMonitoring(monitoring: NewMonitoring, warn: Warn): void {
  const { title, status, searches } = objectOf('monitoring', monitoring);
  checkTitle(title);
  checkCode('status', status, STATUSES);
  checkSearches(searches, warn);
}

/** Refuses an empty title, and one that is too long. */
export function checkTitle(title: unknown): void {
  if (typeof title !== 'string') {
    throw new OptionError(`title: ${showValue(title)} is no text.`);
  }
  const characters = Array.from(title).length;
  if (characters >= 1 && characters <= MOST_TITLE_CHARACTERS) return;
  throw new OptionError(
    `title: it has ${characters} characters; expected 1 to ${MOST_TITLE_CHARACTERS}.`,
  );
}

/** Refuses searches that can't be made, and warns of settings that don't count for their source. */
export function checkSearches(searches: unknown, warn: Warn): void {
  if (!Array.isArray(searches) || searches.length === 0) {
    throw new OptionError('searches: expected a list of at least one search.');
  }
  searches.forEach((search, at) => {
    checkSearch(`searches[${at}]`, search, warn);
  });
}

function checkSearch(name: string, search: unknown, warn: Warn): void {
  const { source, query, language, includeComments } = objectOf(name, search) as Partial<NewSearch>;
  checkCode(`${name}.source`, source, SEARCH_SOURCES);
  if (typeof query !== 'string' || query === '') {
    throw new OptionError(`${name}.query: ${showValue(query)} is no text that searches anything.`);
  }
  if (language !== undefined) {
    checkCode(`${name}.language`, language, LANGUAGES);
    warnUnless(SOURCES_WITH_LANGUAGE, source, `${name}.language`, warn);
  }
  if (includeComments !== undefined) {
    if (typeof includeComments !== 'boolean') {
      throw new OptionError(
        `${name}.includeComments: ${showValue(includeComments)} is neither true nor false.`,
      );
    }
    warnUnless(SOURCES_WITH_COMMENTS, source, `${name}.includeComments`, warn);
  }
}

function warnUnless(
  sources: readonly string[],
  source: string | undefined,
  name: string,
  warn: Warn,
): void {
  if (isOneOf(sources, source)) return;
  warn(`${name} does not count for ${source}, only for ${sources.join(', ')}.`);
}

function checkCode(name: string, code: unknown, codes: readonly string[]): void {
  if (isOneOf(codes, code)) return;
  throw new OptionError(`${name}: ${showValue(code)} is unknown; expected ${codes.join(', ')}.`);
}

function objectOf<T>(name: string, value: T): T {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new OptionError(`${name}: ${showValue(value)} is no object.`);
}
