import { DateTime } from 'luxon';
import { didYouMean, OptionError } from '../model/errors.js';
import { isObject } from '../model/record.js';
import {
  AUTHOR_RANKINGS,
  DOC_RANKINGS,
  DOCUMENT_SOURCES,
  LANGUAGES,
  SENTIMENTS,
} from '../service/codes.js';
import { checkCode, checkId, checkOffset, filledList, wrongValue } from './checks.js';
import type {
  AuthorsQuery,
  ChartQuery,
  DocumentsQuery,
  FeedQuery,
  Filters,
  Moment,
} from './queries.js';

const DOCUMENT_RANKINGS = { interactions: undefined, ...DOC_RANKINGS };

export function encodeDocumentsQuery(query: DocumentsQuery): URLSearchParams {
  const docRanking = ranking(DOCUMENT_RANKINGS, query);
  return encodeFilters(query, { further: { docRanking, offset } });
}

export function encodeAuthorsQuery(query: AuthorsQuery): URLSearchParams {
  const authorRanking = ranking(AUTHOR_RANKINGS, query);
  return encodeFilters(query, { further: { authorRanking, offset } });
}

/** Encodes any further parameters, too, as the reference doesn't document them. */
export function encodeChartQuery(query: ChartQuery): URLSearchParams {
  return encodeFilters(query, { further: plain });
}

/** Leaves out the cursor. */
export function encodeFeedQuery(query: FeedQuery): URLSearchParams {
  return encodeFilters(query, { required: ['monitorings'] });
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
    const known = code(Object.keys(table))(name, value);
    const sources = table[known];
    if (sources === undefined || (viewSource && sources.includes(viewSource))) return known;
    const found = viewSource === undefined ? 'there is none' : `it is ${viewSource}`;
    throw new OptionError(
      `${name} ${known} needs a viewSource of ${sources.join(', ')}, and ${found}.`,
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

interface QueryParameters {
  /** Filters that must be there. */
  readonly required?: readonly (keyof Filters)[];
  /** The operation's own parameters; a function encodes any other name. */
  readonly further?: Readonly<Record<string, Encode>> | Encode;
}

/**
 * Encodes a query as parameters: lists separated by commas, times as `yyyy-MM-dd HH:mm` in UTC.
 * Leaves out parameters that are `undefined`.
 * @throws OptionError that names the parameter which is unknown, missing or invalid
 */
export function encodeFilters(
  query: object,
  { required = ['monitorings', 'start', 'end'], further = {} }: QueryParameters = {},
): URLSearchParams {
  if (!isObject(query)) throw wrongValue('The query', query, 'an object');
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, encoderOf(name, further)(name, value));
  }
  const missing = required.find((name) => !parameters.has(name));
  if (missing !== undefined) throw new OptionError(`${missing} is missing; it is required.`);
  return parameters;
}

function encoderOf(name: string, further: Readonly<Record<string, Encode>> | Encode): Encode {
  const known: Readonly<Record<string, Encode>> = { ...FILTERS, ...further };
  const encode = Object.hasOwn(known, name) ? known[name] : further;
  if (typeof encode === 'function') return encode;
  const names = Object.keys(known);
  const hint = didYouMean(name, names) || `; expected one of ${names.join(', ')}.`;
  throw new OptionError(`There is no filter ${JSON.stringify(name)}${hint}`);
}

export const plain: Encode = (name, value) => {
  if (Array.isArray(value)) return list(plain)(name, value);
  if (typeof value === 'boolean') return flag(name, value);
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : text(name, value);
};

function list(entry: Encode): Encode {
  return (name, value) => {
    const entries = filledList(name, value).map((one) => entry(name, one));
    const torn = entries.find((one) => one.includes(','));
    if (torn === undefined) return entries.join(',');
    throw wrongValue(name, torn, 'no comma in it, as commas separate the entries of a list');
  };
}

function minute(edge: DayEdge): Encode {
  return (name, value) =>
    readMoment(name, value as Moment, edge)
      .slice(0, 'yyyy-MM-ddTHH:mm'.length)
      .replace('T', ' ');
}

function code(codes: readonly string[]) {
  return (name: string, value: unknown): string => {
    checkCode(name, value, codes);
    return String(value);
  };
}

function idOrText(name: string, value: unknown): string {
  return typeof value === 'number' ? id(name, value) : text(name, value);
}

function id(name: string, value: unknown): string {
  checkId(name, value);
  return String(value);
}

function text(name: string, value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '') {
    throw wrongValue(name, value, 'text; leave it out to restrict nothing');
  }
  // URLSearchParams would silently replace it.
  if (!value.isWellFormed()) throw wrongValue(name, value, 'text without lone surrogates');
  return value;
}

function flag(name: string, value: unknown): string {
  if (typeof value === 'boolean') return String(value);
  throw wrongValue(name, value, 'true or false');
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
  const expected = 'a time like "2024-05-31", "2024-05-31 18:30" or "2024-05-31T18:30+02:00"';
  throw wrongValue(name, moment, expected);
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
