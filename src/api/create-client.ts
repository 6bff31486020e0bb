import { setTimeout as wait } from 'node:timers/promises';
import { checkOptionTable, type OptionTable } from '../model/options.js';
import type {
  Indicators,
  LegacyAuthors,
  LegacyDocuments,
  LegacyMonitoringList,
} from '../service/resources.js';
import type { AnswerShape } from './ask.js';
import { ask, type ClientContext, filteredCall } from './ask.js';
import type { CallOptions, Client, ClientOptions } from './client.js';
import { authorCalls, contextCalls, documentCalls } from './documents.js';
import {
  encodeAuthorsQuery,
  encodeChartQuery,
  encodeDocumentsQuery,
  encodeFilters,
} from './encode-queries.js';
import { feed } from './feed.js';
import { monitoringCalls } from './monitorings.js';
import { importBatch } from './post-documents.js';
import type { AuthorsQuery, DocumentsQuery, Filters } from './queries.js';
import { backoffMs, retryAfterMs } from './transport/backoff.js';
import type { Connection } from './transport/connection.js';
import type { Exchange } from './transport/exchange.js';
import { type Call, openTransport, type Transport } from './transport/http-transport.js';

const INDICATORS_SHAPE: AnswerShape = {
  indicators: [{ name: 'text', 'currentValue?': 'number', 'previousValue?': 'number' }],
};

/**
 * Creates a client of version 5.0. Sends nothing yet.
 * @throws OptionError if the connection or an option is invalid
 */
export function createClient(connection: Connection, options?: ClientOptions): Client {
  const context = openContext(connection, options);
  const { transport } = context;
  return {
    baseUrl: transport.baseUrl,
    monitorings: monitoringCalls(transport),
    documents: documentCalls(context),
    feed: (query, feedOptions) => feed(context, query, feedOptions),
    context: contextCalls(transport),
    importDocuments: (monitoring, documents, callOptions) =>
      importBatch(transport, monitoring, documents, callOptions),
    authors: authorCalls(context),
    indicators: filteredCall(context, '/indicators', encodeFilters, INDICATORS_SHAPE),
    chart: filteredCall(context, '/chart', encodeChartQuery),
    ...closedBy(transport),
  };
}

/** Closes a client, also at the end of an `await using`. */
function closedBy(transport: Transport): Pick<Client, 'close' | typeof Symbol.asyncDispose> {
  const close = (): Promise<void> => transport.close();
  return { close, [Symbol.asyncDispose]: close };
}

const OPTIONS: OptionTable<keyof ClientOptions> = {
  connections: { type: 'integer', min: 1 },
  filterMethod: { type: 'text', choices: ['POST', 'GET'] },
  retries: { type: 'integer', min: 0 },
};

/** @throws OptionError if the connection or an option is invalid */
export function openContext(connection: Connection, options: ClientOptions = {}): ClientContext {
  checkOptionTable(options, OPTIONS, 'createClient');
  const { connections = 8, filterMethod = 'POST', retries = 6 } = options;
  const transport = retryReads(openTransport(connection, connections), retries);
  return { transport, filterMethod };
}

/**
 * Client of version 4.0, which is discontinued and open only to its existing users (reference,
 * "Legacy 4.0 API"). Filters are sent in the address, whose length is limited. Errors are those of
 * `Client`.
 */
export interface LegacyClient extends AsyncDisposable {
  readonly baseUrl: string;
  monitorings(options?: CallOptions): Promise<LegacyMonitoringList['monitorings']>;
  /** Rankings and `offset` are assumed to be those of 5.0. */
  documents(query: DocumentsQuery, options?: CallOptions): Promise<LegacyDocuments>;
  /** Rankings and `offset` are assumed to be those of 5.0. */
  authors(query: AuthorsQuery, options?: CallOptions): Promise<LegacyAuthors>;
  indicators(query: Filters, options?: CallOptions): Promise<Indicators>;
  /** Waits for calls in flight, then closes the connections; so does the end of an `await using`. */
  close(): Promise<void>;
}

const MONITORINGS = { monitorings: [{ id: 'integer', title: 'text' }] } as const;
const DOCUMENTS = { data: [{ id: 'integer' }] } as const;
const AUTHORS = {
  data: [{ id: 'integer' }],
  total: 'count',
  'offset?': 'count',
  'count?': 'count',
} as const;

/**
 * Creates a client of version 4.0. Sends nothing yet.
 * @throws OptionError if the connection or an option is invalid
 */
export function createLegacyClient(
  connection: Connection,
  options?: Omit<ClientOptions, 'filterMethod'>,
): LegacyClient {
  const opened = openContext(connection, { ...options, filterMethod: 'GET' });
  const transport: Transport = { ...opened.transport, version: '4.0' };
  const context = { ...opened, transport };
  return {
    baseUrl: transport.baseUrl,
    monitorings: async (callOptions) => {
      const question = { method: 'GET', path: '/monitorings', shape: MONITORINGS } as const;
      return (await ask<LegacyMonitoringList>(transport, question, callOptions)).monitorings;
    },
    documents: filteredCall(context, '/documents', encodeDocumentsQuery, DOCUMENTS),
    authors: filteredCall(context, '/authors', encodeAuthorsQuery, AUTHORS),
    indicators: filteredCall(context, '/indicators', encodeFilters, INDICATORS_SHAPE),
    ...closedBy(transport),
  };
}

const MAX_RETRY_AFTER_MS = 60_000;

/** Statuses of a service or gateway that is busy or down for a moment. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Error codes of broken connections and of a network that is down. */
const CONNECTION_ERRORS =
  /^(ECONN\w+|EPIPE|ETIMEDOUT|E(?:NET|HOST)UNREACH|EAI_AGAIN|UND_ERR_(?:SOCKET|CONNECT_TIMEOUT))$/;

/** Wraps a transport so that reads are retried after transient failures; changes are sent once. */
function retryReads(transport: Transport, retries: number): Transport {
  let everAnswered = false;
  const send = async (call: Call): Promise<Exchange> => {
    for (let failures = 0; ; failures += 1) {
      const exchange = await transport.send(call);
      everAnswered ||= exchange.kind === 'answer';
      if (call.changes || failures >= retries || !isTransient(exchange, everAnswered))
        return exchange;
      const waitMs = askedWaitMs(exchange) ?? backoffMs(failures, Math.random());
      if (waitMs > MAX_RETRY_AFTER_MS) return exchange;
      await wait(waitMs, undefined, { signal: call.signal }).catch(() => {});
      if (call.signal?.aborted) return { kind: 'not-sent', message: 'the call was aborted' };
    }
  };
  return { ...transport, send };
}

/** @param everAnswered an address that never answered is probably wrong, so it isn't retried */
function isTransient(exchange: Exchange, everAnswered: boolean): boolean {
  if (exchange.kind === 'answer') return TRANSIENT_STATUSES.has(exchange.status);
  const { kind, code = '' } = exchange;
  return CONNECTION_ERRORS.test(code) && (kind === 'no-answer' || everAnswered);
}

function askedWaitMs(exchange: Exchange): number | undefined {
  return exchange.kind === 'answer' ? retryAfterMs(exchange, Date.now()) : undefined;
}
