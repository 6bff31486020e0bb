import type { Metric } from '../../model/document.js';
import type { CapturedAuthor, CapturedDocument } from '../input/captured-documents.js';
import { readTimestamp } from '../input/checks.js';
import type { CheckedDocument } from '../input/imported-documents.js';
import { documentWords, toStored, wordColumn } from '../words.js';

/**
 * Documents made ready for the database: rows as JSON texts, which cross to the store's thread as
 * they are and which SQLite reads by itself. Made where the call is read, so that the store's
 * thread has nothing to do but to store.
 */
export interface PreparedDocuments {
  /** The id of the monitoring that takes them. */
  readonly monitoring: number;
  readonly count: number;
  /** The documents, JSON as they came. */
  readonly bodies: string;
  /** The words of title and text of each document, as one text. */
  readonly words: string;
  /** A row a document, as the statements of `add-documents.ts` read it. */
  readonly documents: string;
  /** Authors that have a sourceId; one row a document. */
  readonly authors: string;
  /** Authors without one; a document's row holds its position here. */
  readonly nameless: string;
  /** Pairs of a document's position and a tag. */
  readonly tags: string;
  /** Pairs of a document's position and a user's id. */
  readonly reviewers: string;
  /** A source, a sourceId and a tag. */
  readonly authorTags: string;
}

/** A document on its way into the store, whichever way it came. */
export type AnyDocument = CheckedDocument | CapturedDocument;

/**
 * @param monitoring the id of the one that takes them
 * @param now milliseconds since 1970: when documents without times count as published and downloaded
 */
export function prepareDocuments(
  monitoring: number,
  documents: readonly AnyDocument[],
  now: number = Date.now(),
): PreparedDocuments {
  const rows = { authors: [] as Row[], nameless: [] as Row[] };
  return {
    monitoring,
    count: documents.length,
    bodies: JSON.stringify(documents),
    documents: JSON.stringify(
      documents.map((document) =>
        documentRow(document, timesOf(document, now), placeAuthor(document, rows)),
      ),
    ),
    words: JSON.stringify(documents.map(documentWords)),
    authors: JSON.stringify(rows.authors),
    nameless: JSON.stringify(rows.nameless),
    tags: JSON.stringify(pairs(documents, (document) => (document.tags ?? []).map(toStored))),
    reviewers: JSON.stringify(
      pairs(documents, (document) => ('reviewers' in document && document.reviewers) || []),
    ),
    authorTags: JSON.stringify(documents.flatMap(authorTagRows)),
  };
}

type Row = readonly (string | number | null)[];

/** Where an author's row went: its key, or its position among the nameless. */
type AuthorPlace = readonly [source: string | null, key: string | null, position: number | null];

function placeAuthor(
  document: AnyDocument,
  rows: { readonly authors: Row[]; readonly nameless: Row[] },
): AuthorPlace {
  const author: CapturedAuthor | CheckedDocument['author'] = document.author;
  const source = toStored(author?.source ?? document.source);
  if (author?.sourceId === undefined) {
    rows.nameless.push(authorRow(source, null, author));
    return [null, null, rows.nameless.length - 1];
  }
  const key = toStored(author.sourceId);
  rows.authors.push(authorRow(source, key, author));
  return [source, key, null];
}

/** The row of an author; an import tells nothing of what stands after the user name. */
function authorRow(source: string, key: string | null, author: AnyDocument['author']): Row {
  const username = author?.username ?? null;
  const known = [
    source,
    key,
    username === null ? null : toStored(username),
    username === null ? '' : wordColumn(username),
  ];
  return hasProfile(author) ? [...known, ...profileCells(author)] : known;
}

function hasProfile(author: AnyDocument['author']): author is CapturedAuthor {
  return author !== undefined && PROFILE_FIELDS.some((field) => field in author);
}

const PROFILE_FIELDS: readonly (keyof CapturedAuthor)[] = [
  ...(['name', 'authorUrl', 'imageUrl', 'isVerified', 'personalUrl', 'about'] as const),
  ...(['declaredLocation', 'authorLocations', 'metrics'] as const),
];

function profileCells(author: CapturedAuthor): Row {
  const fields = PROFILE_FIELDS.map((field) => [field, author[field]] as const);
  return [
    wordColumn(author.name ?? ''),
    wordColumn(author.about ?? ''),
    author.isVerified ? 1 : 0,
    author.personalUrl ? 1 : 0,
    metricOf(author.metrics, 'followers'),
    JSON.stringify(Object.fromEntries(fields.filter(([, value]) => value !== undefined))),
  ];
}

/** When a document counts as published and downloaded, in milliseconds since 1970. */
interface Times {
  readonly published: number;
  readonly downloaded: number;
}

/** A document without a publication time must still be found. */
function timesOf(document: AnyDocument, now: number): Times {
  const downloaded = timeOf(document.downloaded) ?? now;
  return { published: timeOf(document.published) ?? downloaded, downloaded };
}

function documentRow(document: AnyDocument, times: Times, author: AuthorPlace): Row {
  const { parentSourceId, language, sentiment, metrics } = document;
  return [
    document.source,
    toStored(document.sourceId),
    parentSourceId == null ? null : toStored(parentSourceId),
    times.published,
    Math.floor(times.downloaded / 1000),
    language == null ? null : toStored(language),
    sentiment ?? null,
    metricOf(metrics, 'likes'),
    metricOf(metrics, 'comments'),
    metricOf(metrics, 'shares'),
    metricOf(metrics, 'impressions'),
    ...author,
  ];
}

function timeOf(timestamp: string | undefined): number | null {
  return timestamp === undefined ? null : readTimestamp(timestamp);
}

/** The first metric with this name; 0 when there is none. */
function metricOf(metrics: readonly Metric[] | undefined, name: string): number {
  return metrics?.find((metric) => metric.name === name)?.value ?? 0;
}

function pairs(
  documents: readonly AnyDocument[],
  valuesOf: (document: AnyDocument) => readonly (string | number)[],
): Row[] {
  return documents.flatMap((document, position) =>
    valuesOf(document).map((value) => [position, value]),
  );
}

function authorTagRows({ source, author }: AnyDocument): Row[] {
  if (author === undefined || !('tags' in author) || author.sourceId === undefined) return [];
  const key = [toStored(author.source ?? source), toStored(author.sourceId)];
  return ((author as CapturedAuthor).tags ?? []).map((tag) => [...key, toStored(tag)]);
}
