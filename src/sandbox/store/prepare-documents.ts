import type { Metric } from '../../model/document.js';
import type { CheckedDocument } from '../input/bodies.js';
import type { CapturedAuthor, CapturedDocument } from '../input/captured-documents.js';
import { readTimestamp } from '../input/timestamp.js';
import { documentWords, toStored, wordColumn } from '../words.js';

/** Documents as rows in JSON, which SQLite reads itself: a statement for all of a call. */
export interface PreparedDocuments {
  readonly monitoring: number;
  readonly count: number;
  /** The documents as received. */
  readonly bodies: string;
  /** The words of title and text, one text a document. */
  readonly words: string;
  /** One row a document, for the statements in `add-documents.ts`. */
  readonly documents: string;
  /** Authors with a sourceId, one row a document. */
  readonly authors: string;
  /** Authors without a sourceId; a document's row refers to them by position. */
  readonly anonymous: string;
  /** Pairs of a document's position and a tag. */
  readonly tags: string;
  /** Pairs of a document's position and a user's id. */
  readonly reviewers: string;
  /** Triples of source, sourceId and tag. */
  readonly authorTags: string;
}

/** A document from an import, or a captured one. */
export type AnyDocument = CheckedDocument | CapturedDocument;

/**
 * @param monitoring id of the monitoring
 * @param now milliseconds since 1970, the default time of publication and download
 */
export function prepareDocuments(
  monitoring: number,
  documents: readonly AnyDocument[],
  now: number = Date.now(),
): PreparedDocuments {
  const rows = { authors: [] as Row[], anonymous: [] as Row[] };
  return {
    monitoring,
    count: documents.length,
    bodies: JSON.stringify(documents),
    documents: JSON.stringify(
      documents.map((document) =>
        documentRow(document, documentTimes(document, now), addAuthor(document, rows)),
      ),
    ),
    words: JSON.stringify(documents.map(documentWords)),
    authors: JSON.stringify(rows.authors),
    anonymous: JSON.stringify(rows.anonymous),
    tags: JSON.stringify(pairs(documents, (document) => (document.tags ?? []).map(toStored))),
    reviewers: JSON.stringify(
      pairs(documents, (document) => ('reviewers' in document && document.reviewers) || []),
    ),
    authorTags: JSON.stringify(documents.flatMap(authorTagRows)),
  };
}

type Row = readonly (string | number | null)[];

/** Reference to an author: by key, or by position in `anonymous`. */
type AuthorRef = readonly [source: string | null, key: string | null, position: number | null];

function addAuthor(
  document: AnyDocument,
  rows: { readonly authors: Row[]; readonly anonymous: Row[] },
): AuthorRef {
  const author: CapturedAuthor | CheckedDocument['author'] = document.author;
  const source = toStored(author?.source ?? document.source);
  if (author?.sourceId === undefined) {
    rows.anonymous.push(authorRow(source, null, author));
    return [null, null, rows.anonymous.length - 1];
  }
  const key = toStored(author.sourceId);
  rows.authors.push(authorRow(source, key, author));
  return [source, key, null];
}

/** Builds the row of an author. Authors from imports have no cells after the user name. */
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

/** Effective times of publication and download, in milliseconds since 1970. */
interface Times {
  readonly published: number;
  readonly downloaded: number;
}

/** Fills in missing times, so that time windows find the document. */
function documentTimes(document: AnyDocument, now: number): Times {
  const downloaded = timeOf(document.downloaded) ?? now;
  return { published: timeOf(document.published) ?? downloaded, downloaded };
}

function documentRow(document: AnyDocument, times: Times, author: AuthorRef): Row {
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
