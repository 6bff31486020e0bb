import type { Annotation, ImportedDocument, Metric } from '../../document.js';

/** What a query has to select for {@link documentOf}. */
export interface DocumentRow {
  readonly id: number;
  readonly monitoring: number;
  readonly author: number;
  /** The document as imported, JSON. */
  readonly body: string;
}

/**
 * A document as the API gives it back. What was not sent is `null`, or an empty list.
 * `monitoring`, `tags` and `author.annotations` go beyond the API: with them an import can be
 * compared field by field.
 */
export interface Document {
  readonly id: number;
  readonly source: string | null;
  readonly sourceId: string | null;
  readonly parentSourceId: string | null;
  readonly title: null;
  readonly text: string | null;
  readonly imageUrl: null;
  readonly url: string | null;
  readonly language: string | null;
  readonly sentiment: string | null;
  readonly detectedLocations: readonly string[];
  readonly citedLocations: readonly never[];
  readonly lat: null;
  readonly lon: null;
  readonly published: string | null;
  readonly downloaded: string | null;
  readonly metrics: readonly Metric[];
  readonly author: Author;
  readonly monitoring: number;
  readonly tags: readonly string[];
}

/** An author as the API gives it back; an import tells nothing about the fields after `username`. */
export interface Author {
  readonly id: number;
  readonly source: string | null;
  readonly sourceId: string | null;
  readonly username: string | null;
  readonly name: string;
  readonly authorUrl: string;
  readonly imageUrl: string;
  readonly isVerified: boolean;
  readonly about: string;
  readonly declaredLocation: null;
  readonly authorLocations: readonly never[];
  readonly metrics: readonly Metric[];
  readonly annotations: readonly Annotation[];
}

/** Builds the answer for one stored document. */
export function documentOf(row: DocumentRow): Document {
  const sent = JSON.parse(row.body) as ImportedDocument;
  return {
    id: row.id,
    source: sent.source ?? null,
    sourceId: sent.sourceId ?? null,
    parentSourceId: sent.parentSourceId ?? null,
    title: null,
    text: sent.text ?? null,
    imageUrl: null,
    url: sent.url ?? null,
    language: sent.language ?? null,
    sentiment: sent.sentiment ?? null,
    detectedLocations: sent.detectedLocations ?? [],
    citedLocations: [],
    lat: null,
    lon: null,
    published: sent.published ?? null,
    downloaded: sent.downloaded ?? null,
    metrics: (sent.metrics ?? []).map(({ name, value }) => ({ name, value })),
    author: authorOf(row.author, sent.author ?? {}),
    monitoring: row.monitoring,
    tags: sent.tags ?? [],
  };
}

function authorOf(id: number, sent: NonNullable<ImportedDocument['author']>): Author {
  return {
    id,
    source: sent.source ?? null,
    sourceId: sent.sourceId ?? null,
    username: sent.username ?? null,
    name: '',
    authorUrl: '',
    imageUrl: '',
    isVerified: false,
    about: '',
    declaredLocation: null,
    authorLocations: [],
    metrics: [],
    annotations: (sent.annotations ?? []).map(({ name, value }) => ({ name, value })),
  };
}
