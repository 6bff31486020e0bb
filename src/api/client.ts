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
import type { ContextTree } from './context.js';
import type { AuthorsQuery, ChartQuery, DocumentsQuery, FeedQuery, Filters } from './queries.js';

/** How a client works. */
export interface ClientOptions {
  /** Told of what the service would ignore; default: `process.emitWarning`. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** Most connections at a time, at least 1; default 8. */
  readonly connections?: number | undefined;
  /**
   * How filters travel; default `POST`, which takes filters of any size. The reference means `GET`
   * for tests: addresses have a limit.
   */
  readonly filterMethod?: 'POST' | 'GET' | undefined;
  /**
   * How often a read is sent again, at least 0; default 6. Reads are retried after 429, 502, 503 and
   * 504, and where the connection broke, with exponential backoff and jitter, or after `Retry-After`
   * of up to a minute. What changes something is never sent again.
   */
  readonly retries?: number | undefined;
}

/** What every call takes. */
export interface CallOptions {
  /** Ends the call at once; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A call that can start behind what was already received. */
export interface PageOptions extends CallOptions {
  /** How many to skip, at least 0. */
  readonly offset?: number | undefined;
}

/** How to read the feed. */
export interface FeedOptions extends CallOptions {
  /** Where to continue: a `nextCursor`, or what `cursorAt` gives. Without one, from the start. */
  readonly cursor?: string | undefined;
  /** Whether to wait for more when everything was read; default `false`. */
  readonly follow?: boolean | undefined;
  /** How long to wait between questions then, in milliseconds, at least 1; default 60,000. */
  readonly intervalMs?: number | undefined;
}

/**
 * The whole of version 5.0, one method an operation. Every call can reject with
 *
 * - `OptionError` before anything is sent, if what it was given can't be used;
 * - `AuthenticationError` (401, 403), `NotFoundError` (404), or `ServiceError` for any other refusal
 *   and for an answer that can't be used;
 * - `ServiceDownError` if no answer came;
 * - the reason of its signal, if that was aborted.
 *
 * Reads are retried (see `retries`), changes never, and no error holds the credentials.
 */
export interface Client {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly monitorings: MonitoringCalls;
  readonly documents: {
    /** One page, by default the most recently published (`POST /documents`). */
    page(query: DocumentsQuery, options?: CallOptions): Promise<DocumentsPage>;
    /**
     * Every document that matches, page after page. The service counts pages from the first
     * document each time: documents that arrive meanwhile shift the pages, so that some come twice
     * and others not at all. For a complete copy use {@link Client.feed}.
     */
    all(query: DocumentsQuery, options?: CallOptions): AsyncGenerator<Document, void, undefined>;
  };
  /**
   * Every captured document by time of download, in pages of up to 100 (`POST /documents/feed`).
   * Ends when none remains; the last page's `nextCursor` is where to continue another day. With
   * `follow` it waits for more, and from then on gives only pages that hold documents.
   */
  feed(query: FeedQuery, options?: FeedOptions): AsyncGenerator<FeedPage, void, undefined>;
  readonly context: {
    /** One page of a publication, its comments and their replies (`POST /documents/{id}/context`). */
    page(documentId: number, options?: PageOptions): Promise<ContextPage>;
    /** All of them, depth first. */
    all(
      documentId: number,
      options?: CallOptions,
    ): AsyncGenerator<ContextDocument, void, undefined>;
    /** All of them as a tree. */
    tree(documentId: number, options?: CallOptions): Promise<ContextTree>;
  };
  /**
   * Imports documents as they are, in one request (`POST /monitorings/{id}/documents`). How many a
   * request may hold is not shown. Rejects with `ServiceError` unless the service says that it took
   * all of them. For files use `importDocuments` of `docferry`, which maps, checks and batches.
   */
  importDocuments(
    monitoring: number,
    documents: readonly ImportedDocument[],
    options?: CallOptions,
  ): Promise<ImportAnswer>;
  readonly authors: {
    /** One page of the ranking, by default by number of publications (`POST /authors`). */
    page(query: AuthorsQuery, options?: CallOptions): Promise<AuthorsPage>;
    /** The whole ranking, which holds at most 200 authors. */
    all(query: AuthorsQuery, options?: CallOptions): AsyncGenerator<Author, void, undefined>;
  };
  /**
   * Figures of the selected documents (`POST /indicators`). The shape of the answer is not shown
   * for 5.0; that it is the one of 4.0 is an assumption.
   */
  indicators(query: Filters, options?: CallOptions): Promise<Indicators>;
  /**
   * `POST /chart`, whose parameters and answer are not shown: parameters that are no filters are
   * sent as they are, and the answer is given back as it comes.
   */
  chart(query: ChartQuery, options?: CallOptions): Promise<unknown>;
  /** Waits for calls in flight, then closes the connections. */
  close(): Promise<void>;
}

/** The calls on monitorings and their searches (reference, "Monitorings"). */
export interface MonitoringCalls {
  /** Those that the user created or may see. */
  list(options?: CallOptions): Promise<readonly MonitoringSummary[]>;
  create(monitoring: NewMonitoring, options?: CallOptions): Promise<Monitoring>;
  get(id: number, options?: CallOptions): Promise<Monitoring>;
  /** @param title 1 to 255 characters */
  rename(id: number, title: string, options?: CallOptions): Promise<Monitoring>;
  /** Adds to the searches that are there; at least one. */
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
