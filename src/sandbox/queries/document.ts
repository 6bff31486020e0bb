import type { Annotation, ImportedDocument } from '../../model/document.js';
import type { Author, Document } from '../../service/resources.js';
import type { CapturedAuthor, CapturedDocument } from '../captured.js';

/** What a query has to select for {@link documentOf}: see {@link DOCUMENT_CELLS}. */
export interface DocumentRow {
  readonly id: number;
  readonly monitoring: number;
  readonly author: number;
  /** The document as it came, JSON. */
  readonly body: string;
  /** The author's profile, JSON. */
  readonly profile: string | null;
}

/** Selects a {@link DocumentRow} for the ids that `page` holds in `id`; the order is the caller's. */
export const DOCUMENT_CELLS =
  'd.id, d.monitoring_id AS monitoring, d.author_id AS author, b.body, a.profile';

/** See {@link DOCUMENT_CELLS}. */
export const DOCUMENT_TABLES = `
  JOIN documents AS d ON d.id = page.id
  JOIN bodies AS b ON b.id = page.id
  JOIN authors AS a ON a.id = d.author_id`;

/**
 * A document as the API gives it back. What was not sent is `null`, or an empty list.
 * `monitoring`, `tags` and `author.annotations` go beyond the API: with them an import can be
 * compared field by field.
 */
export type DocumentResource = Document & {
  readonly monitoring: number;
  readonly tags: readonly string[];
  readonly author: Author & { readonly annotations: readonly Annotation[] };
};

/** Builds the answer for one stored document. */
export function documentOf(row: DocumentRow): DocumentResource {
  const sent = JSON.parse(row.body) as CapturedDocument & ImportedDocument;
  const { id, monitoring } = row;
  const { source, sourceId, text, metrics, tags, author } = sent;
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
    detectedLocations: listOf(sent.detectedLocations),
    citedLocations: listOf(sent.citedLocations),
    lat: sent.lat ?? null,
    lon: sent.lon ?? null,
    published: sent.published ?? null,
    downloaded: sent.downloaded ?? null,
    metrics: listOf(metrics).map(({ name, value }) => ({ name, value })),
    author: {
      ...authorOf(row.author, author ?? {}, row.profile),
      annotations: listOf(author?.annotations).map(({ name, value }) => ({ name, value })),
    },
    monitoring,
    tags: listOf(tags),
  };
}

function listOf<T>(list: readonly T[] | null | undefined): readonly T[] {
  return list ?? [];
}

/** Who an author is on the network. */
export interface AuthorIdentity {
  readonly source?: string | null;
  readonly sourceId?: string | null;
  readonly username?: string | null;
}

/** Builds an author from its identity and its profile, of which an import tells nothing. */
export function authorOf(id: number, identity: AuthorIdentity, profile: string | null): Author {
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
