import { AUTHOR_RANKINGS, DOC_RANKINGS, isOneOf, type SourceCode } from '../../service/codes.js';
import {
  type DocumentFilter,
  OPTIONAL_FILTERS,
  readFilter,
  readWindow,
} from './document-filter.js';
import { type Parameters, readOffset, readParameters, refuseFaults } from './parameters.js';

/** What a ranking can look at. */
export type Ranking =
  | 'interactions'
  | 'likes'
  | 'comments'
  | 'shares'
  | 'impressions'
  | 'followers';

/** What a call asks for: some documents, or what is counted from them, in an order, from a place. */
export interface RankedCall {
  readonly filter: DocumentFilter;
  /** `undefined`: the call's own order. */
  readonly ranking: Ranking | undefined;
  /** How many to skip, at least 0. */
  readonly offset: number;
}

/** Where a call to the feed begins. */
export interface FeedCall {
  readonly filter: DocumentFilter;
  /** `undefined`: at the first document. */
  readonly cursor: Cursor | undefined;
}

/** A place in the feed: behind the document with this id among those of this second. */
export interface Cursor {
  /** Seconds since 1970. */
  readonly downloaded: number;
  readonly id: number;
}

/** Which values of `viewSource` a ranking is available for; `undefined`: for all, and for none. */
type Availability = Readonly<Partial<Record<Ranking, readonly SourceCode[]>>>;

const REQUIRED = ['monitorings', 'start', 'end'];

/**
 * Reads the parameters of `POST /documents` or `POST /authors`. Refuses with a message for each fault.
 * @param name the parameter for the order
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

/** Reads the parameters of `POST /indicators` and `POST /chart`: the filters alone. */
export function readFiltersCall(given: URLSearchParams): DocumentFilter {
  const parameters = readParameters(given, REQUIRED, OPTIONAL_FILTERS);
  const filter = { ...readFilter(parameters), window: readWindow(parameters) };
  refuseFaults(parameters);
  return filter;
}

/** Reads the parameters of `POST /documents/feed`; `start` and `end` are not even looked at. */
export function readFeedCall(given: URLSearchParams): FeedCall {
  const optional = [...OPTIONAL_FILTERS, 'start', 'end', 'cursor'];
  const parameters = readParameters(given, ['monitorings'], optional);
  const filter = readFilter(parameters);
  const cursor = parameters.read('cursor', 'a cursor as yyyyMMddHHmmss.NNNNNN', readCursor);
  refuseFaults(parameters);
  return { filter, cursor };
}

/** Reads the parameters of a call for a context: at most an offset. */
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
  // A day that is not in the calendar is read as another one.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(iso)) return null;
  return { downloaded: time / 1000, id: Number(id) };
}
