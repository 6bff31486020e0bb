import type { Author, AuthorsPage, Document, Open } from './resources.js';

/** What version 4.0 gives back (reference, "Legacy 4.0 API"). */
export interface LegacyMonitoringList extends Open {
  readonly monitorings: readonly (Open & { readonly id: number; readonly title: string })[];
}

/** Author fields that versions 4.0 and 5.0 share. */
type AuthorField = 'id' | 'source' | 'sourceId' | 'username' | 'authorUrl' | 'imageUrl';

/** The author of a 4.0 document. */
export interface LegacyDocumentAuthor extends Open, Pick<Author, AuthorField | 'name'> {
  readonly followers: number;
  readonly following: number;
  readonly posts: number;
}

/** What documents have in both versions. */
type DocumentField =
  | ('id' | 'source' | 'sourceId' | 'parentSourceId' | 'title' | 'text' | 'imageUrl' | 'url')
  | ('language' | 'published' | 'downloaded');

/** A 4.0 document: its metrics are fields. */
export interface LegacyDocument extends Open, Pick<Document, DocumentField> {
  readonly likes: number;
  readonly comments: number | null;
  readonly shares: number;
  readonly author: LegacyDocumentAuthor;
}

/** `GET /documents` of 4.0. */
export interface LegacyDocuments extends Open {
  readonly data: readonly LegacyDocument[];
}

/** A ranked author of 4.0. */
export interface LegacyAuthor extends Open, Pick<Author, AuthorField> {
  readonly fullname: string;
  readonly indicators: Open & {
    readonly followers: number;
    readonly following: number;
    readonly publications: number;
  };
}

/** `GET /authors` of 4.0. */
export interface LegacyAuthors extends Open, Pick<AuthorsPage, 'total' | 'offset' | 'count'> {
  readonly data: readonly LegacyAuthor[];
}
