import type { Open } from './resources.js';

/** What version 4.0 gives back (reference, "Legacy 4.0 API"). */
export interface LegacyMonitoringList extends Open {
  readonly monitorings: readonly (Open & { readonly id: number; readonly title: string })[];
}

/** The author of a 4.0 document. */
export interface LegacyDocumentAuthor extends Open {
  readonly id: number;
  readonly source: string | null;
  readonly sourceId: string | null;
  readonly username: string | null;
  readonly name: string;
  readonly authorUrl: string;
  readonly imageUrl: string;
  readonly followers: number;
  readonly following: number;
  readonly posts: number;
}

/** A 4.0 document: its metrics are fields. */
export interface LegacyDocument extends Open {
  readonly id: number;
  readonly source: string;
  readonly sourceId: string;
  readonly parentSourceId: string | null;
  readonly title: string | null;
  readonly text: string;
  readonly imageUrl: string | null;
  readonly url: string | null;
  readonly language: string | null;
  readonly published: string | null;
  readonly downloaded: string | null;
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
export interface LegacyAuthor extends Open {
  readonly id: number;
  readonly source: string | null;
  readonly sourceId: string | null;
  readonly username: string | null;
  readonly fullname: string;
  readonly authorUrl: string;
  readonly imageUrl: string;
  readonly indicators: Open & {
    readonly followers: number;
    readonly following: number;
    readonly publications: number;
  };
}

/** `GET /authors` of 4.0. */
export interface LegacyAuthors extends Open {
  readonly data: readonly LegacyAuthor[];
  readonly total: number;
  readonly offset: number;
  readonly count: number;
}
