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

/** Creates the error for an argument: `id is 0; expected a positive integer.` */
export function wrongValue(name: string, value: unknown, expected: string): OptionError {
  return new OptionError(`${name} is ${showValue(value)}; expected ${expected}.`);
}

/** Shows a value in an error, shortened. */
function showValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 60));
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value).slice(0, 60);
  if (!Array.isArray(value)) return 'an object';
  return value.length === 0 ? 'an empty list' : 'a list';
}

/** @throws OptionError unless the value is a positive integer */
export function checkId(name: string, id: unknown): void {
  if (Number.isSafeInteger(id) && (id as number) >= 1) return;
  throw wrongValue(name, id, 'a positive integer');
}

/** @throws OptionError unless the value is a list of at least one id */
export function checkIds(name: string, ids: unknown): void {
  for (const id of filledList(name, ids)) checkId(name, id);
}

/** @throws OptionError unless the value is an integer of at least 0 */
export function checkOffset(offset: unknown): void {
  if (Number.isSafeInteger(offset) && (offset as number) >= 0) return;
  throw wrongValue('offset', offset, 'an integer of at least 0');
}

/** @throws OptionError unless the value is one of the codes */
export function checkCode(name: string, code: unknown, codes: readonly string[]): void {
  if (!isOneOf(codes, code)) throw wrongValue(name, code, codes.join(', '));
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
  if (typeof title !== 'string') throw wrongValue('title', title, 'text');
  const characters = Array.from(title).length;
  if (characters >= 1 && characters <= MAX_TITLE_CHARACTERS) return;
  throw new OptionError(
    `title has ${characters} characters; expected 1 to ${MAX_TITLE_CHARACTERS}.`,
  );
}

/**
 * Checks searches, and warns of settings that have no effect for their source.
 * @throws OptionError
 */
export function checkSearches(searches: unknown, warn: Warn): void {
  for (const [at, search] of filledList('searches', searches).entries()) {
    checkSearch(`searches[${at}]`, search, warn);
  }
}

function checkSearch(name: string, search: unknown, warn: Warn): void {
  const { source, query, language, includeComments } = objectOf(name, search) as Partial<NewSearch>;
  checkCode(`${name}.source`, source, SEARCH_SOURCES);
  if (typeof query !== 'string' || query === '') {
    throw wrongValue(`${name}.query`, query, 'non-empty text');
  }
  const warnUnless = (sources: readonly string[], setting: string): void => {
    if (isOneOf(sources, source)) return;
    warn(`${name}.${setting} has no effect for ${source}, only for ${sources.join(', ')}.`);
  };
  if (language !== undefined) {
    checkCode(`${name}.language`, language, LANGUAGES);
    warnUnless(SOURCES_WITH_LANGUAGE, 'language');
  }
  if (includeComments !== undefined) {
    if (typeof includeComments !== 'boolean') {
      throw wrongValue(`${name}.includeComments`, includeComments, 'true or false');
    }
    warnUnless(SOURCES_WITH_COMMENTS, 'includeComments');
  }
}

/** @throws OptionError unless the value is a list with an entry */
export function filledList(name: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0) return value;
  throw wrongValue(name, value, 'a list of at least one');
}

function objectOf<T>(name: string, value: T): T {
  if (isObject(value)) return value;
  throw wrongValue(name, value, 'an object');
}
