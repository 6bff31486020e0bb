import type { ImportedDocument } from '../model/document.js';
import type {
  Author,
  AuthorsPage,
  ContextDocument,
  ContextPage,
  Document,
  DocumentsPage,
  FeedPage,
  ImportAnswer,
  Indicators,
  Monitoring,
  MonitoringSummary,
  NewMonitoring,
  NewSearch,
} from '../service/resources.js';
import type { AuthorsQuery, ChartQuery, DocumentsQuery, FeedQuery, Filters } from './queries.js';

export interface ClientOptions {
  /** Maximum number of connections, at least 1; default 8. */
  readonly connections?: number | undefined;
  /**
   * Method for sending filters; default `POST`, which takes filters of any size. The reference intends
   * `GET` for tests, since the length of addresses is limited.
   */
  readonly filterMethod?: 'POST' | 'GET' | undefined;
  /**
   * Number of times that a read is retried, at least 0; default 6. Reads are retried after 429,
   * 502, 503 and 504, and when the connection breaks, with exponential backoff and jitter, or after
   * a `Retry-After` of up to a minute. Calls that change something are never retried.
   */
  readonly retries?: number | undefined;
}

/** Options of every call. */
export interface CallOptions {
  /** Ends the call at once, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of a call for one page. */
export interface PageOptions extends CallOptions {
  /** Number of documents to skip, at least 0. */
  readonly offset?: number | undefined;
}

/** Options of the feed. */
export interface FeedOptions extends CallOptions {
  /** Position to continue from: a `nextCursor`, or a result of `cursorAt`; default: the beginning. */
  readonly cursor?: string | undefined;
}

/**
 * All operations of version 5.0, one method for each. Every call can reject with
 *
 * - `OptionError` before anything is sent, if an argument is invalid;
 * - `AuthenticationError` (401, 403), `NotFoundError` (404), or `ServiceError` for any other
 *   refusal and for an unusable answer;
 * - `ServiceDownError` if no answer came;
 * - the reason of its signal, if that was aborted.
 *
 * Reads are retried (see `retries`), changes never, and no error contains the credentials.
 */
export interface Client extends AsyncDisposable {
  readonly baseUrl: string;
  readonly monitorings: MonitoringCalls;
  readonly documents: {
    /** Returns one page, by default the most recently published documents (`POST /documents`). */
    page(query: DocumentsQuery, options?: CallOptions): Promise<DocumentsPage>;
    /**
     * Yields every matching document, page by page. The service counts pages from the first
     * document each time: documents that arrive meanwhile shift the pages, so that some come twice
     * and others not at all. For a complete copy use {@link Client.feed}.
     */
    all(query: DocumentsQuery, options?: CallOptions): AsyncGenerator<Document, void, undefined>;
  };
  /**
   * Yields every captured document by time of download, in pages of up to 100 (`POST
   * /documents/feed`). Ends when none remains; to continue later, store the last page's
   * `nextCursor`.
   */
  feed(query: FeedQuery, options?: FeedOptions): AsyncGenerator<FeedPage, void, undefined>;
  readonly context: {
    /**
     * Returns one page of a publication, its comments and their replies (`POST
     * /documents/{id}/context`).
     */
    page(documentId: number, options?: PageOptions): Promise<ContextPage>;
    /** Yields all of them, depth first. */
    all(
      documentId: number,
      options?: CallOptions,
    ): AsyncGenerator<ContextDocument, void, undefined>;
  };
  /**
   * Imports documents unchanged, in one request (`POST /monitorings/{id}/documents`). How many a
   * request may hold is not documented. Rejects with `ServiceError` unless the service acknowledges
   * all of them. For files use `importDocuments` of `docferry`, which maps, validates and batches.
   */
  importDocuments(
    monitoring: number,
    documents: readonly ImportedDocument[],
    options?: CallOptions,
  ): Promise<ImportAnswer>;
  readonly authors: {
    /** Returns one page of the ranking, by default by number of publications (`POST /authors`). */
    page(query: AuthorsQuery, options?: CallOptions): Promise<AuthorsPage>;
    /** Yields the whole ranking, at most 200 authors. */
    all(query: AuthorsQuery, options?: CallOptions): AsyncGenerator<Author, void, undefined>;
  };
  /**
   * Returns figures about matching documents (`POST /indicators`). The shape of the answer is not
   * documented for 5.0; it is assumed to be that of 4.0.
   */
  indicators(query: Filters, options?: CallOptions): Promise<Indicators>;
  /**
   * Calls `POST /chart`, whose parameters and answer are not documented: parameters other than
   * filters are sent unchanged, and the answer is returned unchanged.
   */
  chart(query: ChartQuery, options?: CallOptions): Promise<unknown>;
  /** Waits for calls in flight, then closes the connections; so does the end of an `await using`. */
  close(): Promise<void>;
}

/** Calls on monitorings and their searches (reference, "Monitorings"). */
export interface MonitoringCalls {
  /** Lists monitorings that the user created or may see. */
  list(options?: CallOptions): Promise<readonly MonitoringSummary[]>;
  create(monitoring: NewMonitoring, options?: CallOptions): Promise<Monitoring>;
  get(id: number, options?: CallOptions): Promise<Monitoring>;
  /** @param title 1 to 255 characters */
  rename(id: number, title: string, options?: CallOptions): Promise<Monitoring>;
  /** Adds at least one search. */
  addSearches(
    id: number,
    searches: readonly NewSearch[],
    options?: CallOptions,
  ): Promise<Monitoring>;
  /** @param searchIds at least one */
  removeSearches(
    id: number,
    searchIds: readonly number[],
    options?: CallOptions,
  ): Promise<Monitoring>;
}
