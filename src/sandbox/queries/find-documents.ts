import type { Annotation, ImportedDocument } from '../../model/document.js';
import type { Author, Document, DocumentsPage } from '../../service/resources.js';
import type { CapturedAuthor, CapturedDocument } from '../input/captured-documents.js';
import type { DocumentFilter } from '../input/document-filter.js';
import type { Ranking } from '../input/documents-call.js';
import type { Store } from '../store/database.js';
import { type Condition, conditionOf } from './conditions.js';

/** A page of the ranked documents or authors. */
export interface Slice {
  /** `undefined`: latest publication first. */
  readonly ranking: Ranking | undefined;
  readonly offset: number;
  readonly limit: number;
}

/**
 * Returns one page of the matching documents. Ties are sorted by publication, then by id, both
 * descending.
 */
export function findDocuments(store: Store, filter: DocumentFilter, slice: Slice): DocumentsPage {
  const condition = conditionOf(store, filter);
  // In one transaction, so that `total` matches the page while another process imports.
  return store.transaction('read', () => ({
    documents: readPage(store, condition, slice).map(documentOf),
    total: countDocuments(store, condition),
    offset: slice.offset,
  }));
}

export function countDocuments(store: Store, { sql, values }: Condition): number {
  const count = `SELECT count(*) AS total FROM documents AS d WHERE ${sql}`;
  return store.all<{ total: number }>(count, values)[0]?.total ?? 0;
}

/**
 * Reads a page. The inner query sorts and skips by index, so only documents of the page are read.
 */
function readPage(store: Store, { sql, values }: Condition, slice: Slice): DocumentRow[] {
  const rank = slice.ranking === undefined ? '' : `${RANKS[slice.ranking]} DESC,`;
  const page = `
    SELECT ${DOCUMENT_CELLS}
    FROM (
      SELECT d.id, row_number() OVER () AS place FROM (
        SELECT d.id FROM documents AS d WHERE ${sql}
        ORDER BY ${rank} d.published_ms DESC, d.id DESC LIMIT ? OFFSET ?
      ) AS d
    ) AS page ${DOCUMENT_TABLES}
    ORDER BY page.place`;
  return store.all<DocumentRow>(page, [...values, slice.limit, slice.offset]);
}

/** Sort key of each ranking; the sum for interactions is assumed. */
const RANKS: Readonly<Record<Ranking, string>> = {
  interactions: '(d.likes + d.comments + d.shares)',
  likes: 'd.likes',
  comments: 'd.comments',
  shares: 'd.shares',
  impressions: 'd.impressions',
  followers: '(SELECT followers FROM authors WHERE id = d.author_id)',
};

/** Row of a query that selects {@link DOCUMENT_CELLS}. */
export interface DocumentRow {
  readonly id: number;
  readonly monitoring: number;
  readonly author: number;
  /** The document as received, in JSON. */
  readonly body: string;
  readonly profile: string | null;
}

/** Selects a {@link DocumentRow} for each `id` in `page`, in any order. */
export const DOCUMENT_CELLS =
  'd.id, d.monitoring_id AS monitoring, d.author_id AS author, b.body, a.profile';

/** Joins for {@link DOCUMENT_CELLS}. */
export const DOCUMENT_TABLES = `
  JOIN documents AS d ON d.id = page.id
  JOIN bodies AS b ON b.id = page.id
  JOIN authors AS a ON a.id = d.author_id`;

/**
 * A document as the API returns it. Missing values are `null` or an empty list. `monitoring`,
 * `tags` and `author.annotations` go beyond the API, so that an import can be compared field by
 * field.
 */
type DocumentResource = Document & {
  readonly monitoring: number;
  readonly tags: readonly string[];
  readonly author: Author & { readonly annotations: readonly Annotation[] };
};

export function documentOf(row: DocumentRow): DocumentResource {
  const sent = JSON.parse(row.body) as CapturedDocument & ImportedDocument;
  const { id, monitoring } = row;
  const { source, sourceId, text, metrics = [], tags = [], author = {} } = sent;
  const { detectedLocations = [], citedLocations = [] } = sent;
  const { annotations = [] } = author as Partial<NonNullable<ImportedDocument['author']>>;
  return {
    id,
    source,
    sourceId,
    text,
    parentSourceId: sent.parentSourceId ?? null,
    title: sent.title ?? null,
    imageUrl: sent.imageUrl ?? null,
    url: sent.url ?? null,
    language: sent.language ?? null,
    sentiment: sent.sentiment ?? null,
    detectedLocations,
    citedLocations,
    lat: sent.lat ?? null,
    lon: sent.lon ?? null,
    published: sent.published ?? null,
    downloaded: sent.downloaded ?? null,
    metrics: metrics.map(({ name, value }) => ({ name, value })),
    author: {
      ...authorOf(row.author, author, row.profile),
      annotations: annotations.map(({ name, value }) => ({ name, value })),
    },
    monitoring,
    tags,
  };
}

/** Builds an author from its identity and its profile (`null` if known from imports only). */
export function authorOf(
  id: number,
  identity: Partial<Pick<Author, 'source' | 'sourceId' | 'username'>>,
  profile: string | null,
): Author {
  const known = (profile === null ? {} : JSON.parse(profile)) as Partial<CapturedAuthor>;
  return {
    id,
    source: identity.source ?? null,
    sourceId: identity.sourceId ?? null,
    username: identity.username ?? null,
    name: known.name ?? '',
    authorUrl: known.authorUrl ?? '',
    imageUrl: known.imageUrl ?? '',
    isVerified: known.isVerified ?? false,
    ...(known.personalUrl === undefined ? {} : { personalUrl: known.personalUrl }),
    about: known.about ?? '',
    declaredLocation: known.declaredLocation ?? null,
    authorLocations: known.authorLocations ?? [],
    metrics: known.metrics ?? [],
  };
}
