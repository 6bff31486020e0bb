import type { Metric } from '../model/document.js';
import type { Language, MonitoringStatus, SearchSource } from './codes.js';

/**
 * Base of all answers (reference, "Resources and their fields" and the outputs of 5.0). Fields that
 * the service adds are passed through and can be read.
 */
export interface Open {
  readonly [field: string]: unknown;
}

/** A search to be created. */
export interface NewSearch {
  readonly source: SearchSource;
  /** Format by source; for `FCP` the address of the page. */
  readonly query: string;
  /** Has an effect only for `NTC` and `TWT`. */
  readonly language?: Language;
  /** Has an effect only for `FCP`, `ITB` (own profile) and `YTB`. */
  readonly includeComments?: boolean;
}

/** A monitoring to be created. */
export interface NewMonitoring {
  /** 1 to 255 characters. */
  readonly title: string;
  readonly status: MonitoringStatus;
  /** At least one. */
  readonly searches: readonly NewSearch[];
}

/** A search of a monitoring. */
export interface Search extends Open {
  readonly id: number;
  readonly source: string;
  readonly query: string;
  /** Only where it was set. */
  readonly language?: string;
  /** Only where it was set. */
  readonly includeComments?: boolean;
  /** ISO 8601 in UTC; `null`: not yet processed. */
  readonly lastProcessed: string | null;
}

/** A monitoring in a list. */
export interface MonitoringSummary extends Open {
  readonly id: number;
  readonly title: string;
  readonly status: string;
}

export interface Monitoring extends MonitoringSummary {
  readonly searches: readonly Search[];
}

export interface Location extends Open {
  readonly country: string;
  readonly countryRegion: string | null;
  readonly state: string | null;
  readonly city: string | null;
}

/** Author of a document. The id is unique on the platform. */
export interface Author extends Open {
  readonly id: number;
  readonly source: string | null;
  readonly sourceId: string | null;
  readonly username: string | null;
  readonly name: string;
  readonly authorUrl: string;
  readonly imageUrl: string;
  readonly isVerified: boolean;
  readonly personalUrl?: string;
  readonly about: string;
  /** As the author wrote it; not necessarily a real place. */
  readonly declaredLocation: string | null;
  readonly authorLocations: readonly Location[];
  /** Known names: `followers`, `following`, `publications`. More may come. */
  readonly metrics: readonly Metric[];
}

/** A message. The id is unique on the platform. */
export interface Document extends Open {
  readonly id: number;
  readonly source: string;
  readonly sourceId: string;
  /** `sourceId` of the message that this one replies to; `null` if it isn't a reply. */
  readonly parentSourceId: string | null;
  /** Only for messages that have a title, such as news. */
  readonly title: string | null;
  readonly text: string;
  readonly imageUrl: string | null;
  readonly url: string | null;
  readonly language: string | null;
  /** `B` good, `N` neutral, `R` bad. */
  readonly sentiment: string | null;
  /** Entries such as `city: Sevilla`. */
  readonly detectedLocations: readonly string[];
  readonly citedLocations?: readonly Location[];
  readonly lat: number | null;
  readonly lon: number | null;
  /** ISO 8601. */
  readonly published: string | null;
  /** ISO 8601: the time of capture. */
  readonly downloaded: string | null;
  /** Known names: `likes`, `comments`, `shares`, `score` (reviews). More may come. */
  readonly metrics: readonly Metric[];
  readonly author: Author;
}

/** A document in its context. */
export interface ContextDocument extends Document {
  /** `id` of the document that this one replies to; `null` for the publication. */
  readonly parentId: number | null;
}

/** `GET /monitorings`. */
export interface MonitoringList extends Open {
  readonly monitorings: readonly MonitoringSummary[];
}

/** `POST /documents`. */
export interface DocumentsPage extends Open {
  readonly documents: readonly Document[];
  /** Number of matching documents, on all pages. */
  readonly total: number;
  /** Number of documents skipped. */
  readonly offset: number;
}

/** `POST /documents/feed`. */
export interface FeedPage extends Open {
  /** At most 100, by time of download. */
  readonly documents: readonly Document[];
  /** Number of documents after these. */
  readonly remaining: number;
  /** `yyyyMMddHHmmss.NNNNNN`, GMT: send it with the next call, or store it. */
  readonly nextCursor: string;
}

/** `POST /documents/{id}/context`. */
export interface ContextPage extends Open {
  /** The publication, then depth first; siblings by `published`. */
  readonly documents: readonly ContextDocument[];
  readonly total: number;
  /** Not explained in the reference. */
  readonly max: number;
  readonly offset: number;
}

/** `POST /monitorings/{id}/documents`. */
export interface ImportAnswer extends Open {
  readonly accepted: boolean;
  /** Number of documents imported. */
  readonly documents: number;
}

/** `POST /authors`. */
export interface AuthorsPage extends Open {
  readonly authors: readonly Author[];
  /** Number of matching messages. */
  readonly total: number;
  readonly offset: number;
  /** Number of authors in this response. */
  readonly count: number;
}

/** A figure, with its value in an earlier period. */
export interface Indicator extends Open {
  readonly name: string;
  readonly currentValue: number;
  readonly previousValue: number;
}

/** `GET /indicators` of 4.0; for 5.0 the shape is not documented, and assumed to be the same. */
export interface Indicators extends Open {
  readonly indicators: readonly Indicator[];
}

/** `GET /monitorings` of 4.0 (reference, "Legacy 4.0 API"). */
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

/** Document fields that versions 4.0 and 5.0 share. */
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
