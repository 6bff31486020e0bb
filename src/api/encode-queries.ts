import { DateTime } from 'luxon';
import { OptionError } from '../model/errors.js';
import { isObject } from '../model/record.js';
import {
  AUTHOR_RANKINGS,
  DOC_RANKINGS,
  DOCUMENT_SOURCES,
  isOneOf,
  LANGUAGES,
  SENTIMENTS,
} from '../service/codes.js';
import { checkOffset, isId, showValue, type Warn } from './checks.js';
import type {
  AuthorsQuery,
  ChartQuery,
  DocumentsQuery,
  FeedQuery,
  Filters,
  Moment,
} from './queries.js';

const REQUIRED = ['monitorings', 'start', 'end'] as const;

export function encodeDocumentsQuery(query: DocumentsQuery, warn: Warn): URLSearchParams {
  const parameters = {
    docRanking: ranking({ interactions: undefined, ...DOC_RANKINGS }, query),
    offset,
  };
  return encoded(encodeFilters(query, REQUIRED, parameters), warn);
}

export function encodeAuthorsQuery(query: AuthorsQuery, warn: Warn): URLSearchParams {
  const parameters = { authorRanking: ranking(AUTHOR_RANKINGS, query), offset };
  return encoded(encodeFilters(query, REQUIRED, parameters), warn);
}

export function encodeIndicatorsQuery(query: Filters, warn: Warn): URLSearchParams {
  return encoded(encodeFilters(query, REQUIRED), warn);
}

export function encodeChartQuery(query: ChartQuery, warn: Warn): URLSearchParams {
  return encoded(encodeFilters(query, REQUIRED, plain), warn);
}

/** Leaves out the cursor. */
export function encodeFeedQuery(query: FeedQuery, warn: Warn): URLSearchParams {
  const parameters = encodeFilters(query, ['monitorings']);
  const ignored = ['start', 'end'].filter((name) => parameters.has(name));
  if (ignored.length > 0) warn(`The feed ignores ${ignored.join(' and ')}; use its cursor.`);
  return encoded(parameters, warn);
}

function encoded(parameters: URLSearchParams, warn: Warn): URLSearchParams {
  const ignored = ['tags', 'ignoreTags'].filter((name) => parameters.has(name));
  if (parameters.has('tagExpression') && ignored.length > 0) {
    warn(`${ignored.join(' and ')}: ignored by the service, since tagExpression is given.`);
  }
  return parameters;
}

/**
 * Encodes a ranking, if the query's `viewSource` allows it. A ranking whose value in the table is
 * `undefined` is always allowed.
 */
function ranking(
  table: Readonly<Record<string, readonly string[] | undefined>>,
  { viewSource }: Pick<Filters, 'viewSource'>,
): Encode {
  return (name, value) => {
    if (typeof value !== 'string' || !Object.hasOwn(table, value)) {
      const known = Object.keys(table).join(', ');
      throw new OptionError(`${name}: ${showValue(value)} is unknown; expected ${known}.`);
    }
    const sources = table[value];
    if (sources === undefined || (viewSource && sources.includes(viewSource))) return value;
    const found = viewSource === undefined ? 'there is none' : `it is ${showValue(viewSource)}`;
    throw new OptionError(
      `${name}: ${value} needs a viewSource of ${sources.join(', ')}, and ${found}.`,
    );
  };
}

function offset(_name: string, value: unknown): string {
  checkOffset(value);
  return String(value);
}

/**
 * Encodes the value of a parameter.
 * @throws OptionError that names the parameter
 */
type Encode = (name: string, value: unknown) => string;

/** All filters of the reference's section "Filters", with their encoders. */
const FILTERS: Readonly<Record<keyof Filters, Encode>> = {
  monitorings: (name, value) => list(id)(name, Array.isArray(value) ? value : [value]),
  start: minute('first minute'),
  end: minute('last minute'),
  sources: list(code(DOCUMENT_SOURCES)),
  viewSource: code(DOCUMENT_SOURCES),
  query: text,
  authorName: text,
  authorAbout: text,
  sentiments: list(code(SENTIMENTS)),
  languages: list(code(LANGUAGES)),
  tags: list(text),
  ignoreTags: list(text),
  tagExpression: text,
  authors: list(idOrText),
  authorTags: list(text),
  onlyVerifiedAuthors: flag,
  onlyWithPersonalUrl: flag,
  contributors: list(idOrText),
};

/**
 * Encodes a query as parameters: lists separated by commas, times as `yyyy-MM-dd HH:mm` in UTC.
 * Leaves out parameters that are `undefined`.
 * @param query filters, and parameters of `further`
 * @param required filters that must be there
 * @param further the operation's own parameters; a function encodes any other name
 * @throws OptionError that names the parameter which is unknown, missing or invalid
 */
export function encodeFilters(
  query: object,
  required: readonly (keyof Filters)[],
  further: Readonly<Record<string, Encode>> | Encode = {},
): URLSearchParams {
  if (typeof query !== 'object' || query === null) {
    throw new OptionError(`The filters are ${showValue(query)}; expected an object.`);
  }
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, encoderOf(name, further)(name, value));
  }
  const missing = required.find((name) => !parameters.has(name));
  if (missing !== undefined) throw new OptionError(`${missing}: this filter is required.`);
  return parameters;
}

function encoderOf(name: string, further: Readonly<Record<string, Encode>> | Encode): Encode {
  const known: Readonly<Record<string, Encode>> = { ...FILTERS, ...further };
  const encode = Object.hasOwn(known, name) ? known[name] : further;
  if (typeof encode === 'function') return encode;
  const names = Object.keys(known).join(', ');
  throw new OptionError(`${name}: unknown filter; expected one of ${names}.`);
}

export const plain: Encode = (name, value) => {
  if (Array.isArray(value)) return list(plain)(name, value);
  if (typeof value === 'boolean') return flag(name, value);
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : text(name, value);
};

function list(entry: Encode): Encode {
  return (name, value) => {
    if (!Array.isArray(value)) throw wrong(name, value, 'a list');
    if (value.length === 0) {
      throw new OptionError(`${name}: the list is empty; leave it out to restrict nothing.`);
    }
    const entries = value.map((one: unknown) => entry(name, one));
    const torn = entries.find((one) => one.includes(','));
    if (torn === undefined) return entries.join(',');
    throw new OptionError(
      `${name}: ${showValue(torn)} contains a comma, which separates the entries of a list.`,
    );
  };
}

function minute(edge: DayEdge): Encode {
  return (name, value) =>
    readMoment(name, value as Moment, edge)
      .slice(0, 'yyyy-MM-ddTHH:mm'.length)
      .replace('T', ' ');
}

function code(codes: readonly string[]): Encode {
  return (name, value) => {
    if (isOneOf(codes, value)) return value;
    throw new OptionError(`${name}: ${showValue(value)} is unknown; expected ${codes.join(', ')}.`);
  };
}

function id(name: string, value: unknown): string {
  if (isId(value)) return String(value);
  throw wrong(name, value, 'ids, which are positive integers');
}

function idOrText(name: string, value: unknown): string {
  return typeof value === 'number' ? id(name, value) : text(name, value);
}

function text(name: string, value: unknown): string {
  if (typeof value !== 'string') throw wrong(name, value, 'text');
  if (value.trim() === '') {
    throw new OptionError(`${name}: it is empty; leave it out to restrict nothing.`);
  }
  // URLSearchParams would silently replace it.
  if (/\p{Cs}/u.test(value)) {
    throw new OptionError(`${name}: ${showValue(value)} has a lone surrogate.`);
  }
  return value;
}

function flag(name: string, value: unknown): string {
  if (typeof value === 'boolean') return String(value);
  throw wrong(name, value, 'true or false');
}

function wrong(name: string, value: unknown, expected: string): OptionError {
  return new OptionError(`${name}: ${showValue(value)} can't be used; expected ${expected}.`);
}

/** Meaning of a date without a time. */
type DayEdge = 'first minute' | 'last minute';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const WHOLE_DATE_AND_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}/i;
/** Matches `toISOString` for the years 0 to 9999. */
const ISO = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})/;

/**
 * Converts a point in time to `yyyy-MM-ddTHH:mm:ss` in UTC. Text without an offset is UTC.
 * @param name name in error messages
 * @throws OptionError with that name, if it can't be read
 */
export function readMoment(name: string, moment: Moment, edge: DayEdge = 'first minute'): string {
  const date = typeof moment === 'string' ? readText(moment, edge) : readObject(moment);
  const iso = Number.isNaN(date) ? null : ISO.exec(new Date(date).toISOString());
  if (iso !== null) return iso[0];
  throw new OptionError(
    `${name}: ${showValue(moment)} isn't a point in time; expected a DateTime, a Date, or text such as "2024-05-31 18:30" or "2024-05-31T18:30+02:00".`,
  );
}

/** Milliseconds since 1970, or `NaN`. */
function readText(text: string, edge: DayEdge): number {
  const trimmed = text.trim();
  const atEnd = DATE.test(trimmed) && edge === 'last minute' ? `${trimmed}T23:59` : trimmed;
  if (!DATE.test(trimmed) && !WHOLE_DATE_AND_TIME.test(trimmed)) return Number.NaN;
  return DateTime.fromISO(atEnd.replace(' ', 'T'), { zone: 'utc' }).toMillis();
}

function readObject(moment: unknown): number {
  if (moment instanceof Date) return moment.getTime();
  if (!isObject(moment) || typeof moment['toMillis'] !== 'function') return Number.NaN;
  const milliseconds: unknown = moment['toMillis']();
  return typeof milliseconds === 'number' ? milliseconds : Number.NaN;
}
