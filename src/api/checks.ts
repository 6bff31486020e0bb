import { OptionError } from '../model/errors.js';
import { isObject } from '../model/record.js';
import {
  isOneOf,
  LANGUAGES,
  MAX_TITLE_CHARACTERS,
  SEARCH_SOURCES,
  SOURCES_WITH_COMMENTS,
  SOURCES_WITH_LANGUAGE,
  STATUSES,
} from '../service/codes.js';
import type { NewMonitoring, NewSearch } from '../service/resources.js';

/** @throws OptionError unless the value is a positive integer */
export function checkId(name: string, id: unknown): void {
  if (isId(id)) return;
  throw new OptionError(`${name}: ${showValue(id)} isn't an id; expected a positive integer.`);
}

/** @throws OptionError unless the value is a list of at least one id */
export function checkIds(name: string, ids: readonly unknown[]): void {
  if (!Array.isArray(ids) || ids.length === 0) {
    throw new OptionError(`${name}: expected a list of at least one id.`);
  }
  for (const id of ids) checkId(name, id);
}

/** @throws OptionError unless the value is an integer of at least 0 */
export function checkOffset(offset: unknown): void {
  if (Number.isSafeInteger(offset) && (offset as number) >= 0) return;
  throw new OptionError(
    `offset: ${showValue(offset)} isn't an offset; expected an integer, at least 0.`,
  );
}

export function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

/** Called with a message about values that the service would ignore. */
export type Warn = (message: string) => void;

/**
 * Checks a monitoring by the rules of the service (reference, "Monitoring" and "Search").
 * @throws OptionError
 */
export function checkNewMonitoring(monitoring: NewMonitoring, warn: Warn): void {
  const { title, status, searches } = objectOf('monitoring', monitoring);
  checkTitle(title);
  checkCode('status', status, STATUSES);
  checkSearches(searches, warn);
}

/** @throws OptionError if the title is empty or too long */
export function checkTitle(title: unknown): void {
  if (typeof title !== 'string') {
    throw new OptionError(`title: ${showValue(title)} isn't text.`);
  }
  const characters = Array.from(title).length;
  if (characters >= 1 && characters <= MAX_TITLE_CHARACTERS) return;
  throw new OptionError(
    `title: it has ${characters} characters; expected 1 to ${MAX_TITLE_CHARACTERS}.`,
  );
}

/**
 * Checks searches, and warns of settings that have no effect for their source.
 * @throws OptionError
 */
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
    throw new OptionError(
      `${name}.query: ${showValue(query)} isn't a query; expected text that isn't empty.`,
    );
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
  warn(`${name} has no effect for ${source}, only for ${sources.join(', ')}.`);
}

function checkCode(name: string, code: unknown, codes: readonly string[]): void {
  if (isOneOf(codes, code)) return;
  throw new OptionError(`${name}: ${showValue(code)} is unknown; expected ${codes.join(', ')}.`);
}

function objectOf<T>(name: string, value: T): T {
  if (isObject(value)) return value;
  throw new OptionError(`${name}: ${showValue(value)} isn't an object.`);
}

/** Shows a value in an error, shortened. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 60));
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value).slice(0, 60);
  return Array.isArray(value) ? 'a list' : 'an object';
}
