/** Calls by method and path, for those who know the reference. The typed client has the rest. */
import { OptionError } from '../model/errors.js';
import { MAX_RANKED_AUTHORS } from '../service/codes.js';
import type { FeedPage } from '../service/resources.js';
import { type AnswerShape, type ApiRequest, ask } from './ask.js';
import { checkOffset } from './checks.js';
import type { CallOptions } from './client.js';
import { openContext } from './create-client.js';
import { pagesByOffset } from './documents.js';
import { FEED_SHAPE, pagesByCursor } from './feed.js';
import type { Connection } from './transport/connection.js';
import { formBody, jsonBody, type Transport } from './transport/http-transport.js';

/** A call as it is written. */
export interface PathCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the base URL: `/monitorings/1`. */
  readonly path: string;
  /** Parameters of a query or a form, or the members of a JSON object. */
  readonly fields: URLSearchParams;
  /** Body instead of fields, sent unchanged. */
  readonly body?: Uint8Array | undefined;
}

/** One page of a list. */
export interface PathPage {
  readonly items: readonly unknown[];
  /** Where the feed continues. */
  readonly nextCursor?: string;
}

export interface PathCalls {
  /** Returns the answer unchanged. Rejects as `Client` does. */
  send(call: PathCall, options?: CallOptions): Promise<unknown>;
  /**
   * Yields every page from the given `offset` or `cursor` on.
   * @throws OptionError if the answer has no pages; nothing was sent
   */
  pages(call: PathCall, options?: CallOptions): AsyncGenerator<PathPage, void, undefined>;
  close(): Promise<void>;
}

/**
 * Opens the service for calls by path. Sends nothing yet.
 * @throws OptionError if the connection is invalid
 */
export function openPathCalls(connection: Connection): PathCalls {
  const { transport: opened } = openContext(connection);
  const version = opened.baseUrl.endsWith('/4.0') ? '4.0' : '5.0';
  const transport: Transport = { ...opened, version };
  return {
    send: (call, options) => ask(transport, requestOf(call), options),
    pages: (call, options) => pagesOf(transport, call, options),
    close: () => transport.close(),
  };
}

/** Calls that take filters as a form and change nothing (reference, "Conventions for filtering endpoints"). */
const FILTERING = /^\/(?:documents(?:\/feed|\/[^/]+\/context)?|authors|indicators|chart)$/;

function requestOf({ method, path, fields, body }: PathCall, shape?: AnswerShape): ApiRequest {
  const isFiltering = FILTERING.test(path);
  const changes = method !== 'GET' && !isFiltering;
  const request = { method, path, changes, ...(shape && { shape }) };
  if (method !== 'POST') return fields.size === 0 ? request : { ...request, query: fields };
  const sent = isFiltering ? formBody(fields) : jsonBody(Object.fromEntries(fields));
  return { ...request, body: body === undefined ? sent : { ...sent, pieces: [body] } };
}

const PAGED = /^\/(?:documents(?:\/feed|\/[^/]+\/context)?|authors)$/;

async function* pagesOf(
  transport: Transport,
  call: PathCall,
  options: CallOptions | undefined,
): AsyncGenerator<PathPage, void, undefined> {
  const { path } = call;
  if (!PAGED.test(path)) {
    throw new OptionError(
      `${path} has no pages; those with pages are /documents, /documents/feed, /documents/ID/context and /authors.`,
    );
  }
  const fields = new URLSearchParams(call.fields);
  const pageAt = <Page>(field: string, position: string | undefined, shape: AnswerShape) => {
    if (position !== undefined) fields.set(field, position);
    return ask<Page>(transport, requestOf({ ...call, fields }, shape), options);
  };
  if (path.endsWith('/feed')) {
    const cursor = fields.get('cursor') ?? undefined;
    const pages = pagesByCursor((at) => pageAt<FeedPage>('cursor', at, FEED_SHAPE), cursor);
    for await (const { documents, nextCursor } of pages) yield { items: documents, nextCursor };
    return;
  }
  const start = Number(fields.get('offset') ?? 0);
  checkOffset(start);
  const list = transport.version === '4.0' ? 'data' : path === '/authors' ? 'authors' : 'documents';
  // The answer's total counts messages, which may be far more than authors.
  const most = path === '/authors' ? MAX_RANKED_AUTHORS : Number.POSITIVE_INFINITY;
  const shape = { [list]: [{ id: 'integer' }], 'total?': 'count' } as const;
  const pages = pagesByOffset(start, async (offset) => {
    const page = await pageAt<OffsetPage>('offset', `${offset}`, shape);
    return { items: page[list] ?? [], total: Math.min(page.total ?? most, most) };
  });
  for await (const items of pages) yield { items };
}

interface OffsetPage {
  readonly documents?: readonly Identified[];
  readonly authors?: readonly Identified[];
  /** In version 4.0. */
  readonly data?: readonly Identified[];
  /** Missing for documents of 4.0. */
  readonly total?: number;
}

interface Identified {
  readonly id: number;
}
