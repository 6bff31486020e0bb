import { AUTHOR_RANKINGS, DOC_RANKINGS, isOneOf, type SourceCode } from '../../service/codes.js';
import {
  type DocumentFilter,
  OPTIONAL_FILTERS,
  readFilter,
  readWindow,
} from './document-filter.js';
import { type Parameters, readOffset, readParameters, refuseFaults } from './parameters.js';

export type Ranking =
  | 'interactions'
  | 'likes'
  | 'comments'
  | 'shares'
  | 'impressions'
  | 'followers';

/** Parameters of `POST /documents` or `POST /authors`. */
export interface RankedCall {
  readonly filter: DocumentFilter;
  /** `undefined`: the default order. */
  readonly ranking: Ranking | undefined;
  /** Number of results to skip, at least 0. */
  readonly offset: number;
}

/** Parameters of `POST /documents/feed`. */
export interface FeedCall {
  readonly filter: DocumentFilter;
  /** `undefined`: start at the first document. */
  readonly cursor: Cursor | undefined;
}

/** A position in the feed: after the document with this id among those of this second. */
export interface Cursor {
  /** Seconds since 1970. */
  readonly downloaded: number;
  readonly id: number;
}

/** Values of `viewSource` that a ranking is available for; `undefined`: any value, or none. */
type Availability = Readonly<Partial<Record<Ranking, readonly SourceCode[]>>>;

const REQUIRED = ['monitorings', 'start', 'end'];

/**
 * Reads the parameters of `POST /documents` or `POST /authors`. Refuses with a message for each
 * fault.
 * @param name name of the ranking parameter
 */
export function readRankedCall(
  given: URLSearchParams,
  name: 'docRanking' | 'authorRanking',
): RankedCall {
  const parameters = readParameters(given, REQUIRED, [...OPTIONAL_FILTERS, name, 'offset']);
  const filter = { ...readFilter(parameters), window: readWindow(parameters) };
  const ranking = parameters.read(name, `one of ${RANKINGS.join(', ')}`, (text) =>
    isOneOf(RANKINGS, text) ? text : null,
  );
  const availability = name === 'docRanking' ? DOC_RANKINGS : AUTHOR_RANKINGS;
  checkAvailable(parameters, availability, { name, ranking, viewSource: filter.viewSource });
  const offset = readOffset(parameters);
  refuseFaults(parameters);
  return { filter, ranking, offset };
}

/** Reads the parameters of `POST /indicators` and `POST /chart`, which are filters only. */
export function readFiltersCall(given: URLSearchParams): DocumentFilter {
  const parameters = readParameters(given, REQUIRED, OPTIONAL_FILTERS);
  const filter = { ...readFilter(parameters), window: readWindow(parameters) };
  refuseFaults(parameters);
  return filter;
}

/**
 * Reads the parameters of `POST /documents/feed`; `start` and `end` are ignored without a check.
 */
export function readFeedCall(given: URLSearchParams): FeedCall {
  const optional = [...OPTIONAL_FILTERS, 'start', 'end', 'cursor'];
  const parameters = readParameters(given, ['monitorings'], optional);
  const filter = readFilter(parameters);
  const cursor = parameters.read('cursor', 'a cursor as yyyyMMddHHmmss.NNNNNN', readCursor);
  refuseFaults(parameters);
  return { filter, cursor };
}

export function readContextCall(given: URLSearchParams): number {
  const parameters = readParameters(given, [], ['offset']);
  const offset = readOffset(parameters);
  refuseFaults(parameters);
  return offset;
}

const RANKINGS: readonly Ranking[] = [
  ...(['interactions', 'likes', 'comments', 'shares', 'impressions', 'followers'] as const),
];

interface Ranked {
  readonly name: string;
  readonly ranking: Ranking | undefined;
  readonly viewSource: SourceCode | undefined;
}

function checkAvailable(
  { faults }: Parameters,
  availability: Availability,
  { name, ranking, viewSource }: Ranked,
): void {
  const available = ranking && availability[ranking];
  if (available === undefined || (viewSource && available.includes(viewSource))) return;
  faults.push(`${name} ${ranking} needs a viewSource that is one of ${available.join(', ')}.`);
}

const CURSOR = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})\.(\d{1,15})$/;

function readCursor(text: string): Cursor | null {
  const [, year, month, day, hour, minute, second, id] = CURSOR.exec(text) ?? [];
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const time = id === undefined ? Number.NaN : Date.parse(`${iso}Z`);
  // Date.parse reads a date that doesn't exist as a different one.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(iso)) return null;
  return { downloaded: time / 1000, id: Number(id) };
}
