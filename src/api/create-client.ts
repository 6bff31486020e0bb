import { setTimeout as wait } from 'node:timers/promises';
import { checkOptionTable, type OptionTable } from '../model/options.js';
import type {
  Indicators,
  LegacyAuthors,
  LegacyDocuments,
  LegacyMonitoringList,
} from '../service/resources.js';
import type { AnswerShape } from './ask.js';
import { ask, filteredCall, type Port } from './ask.js';
import type { CallOptions, Client, ClientOptions } from './client.js';
import { contextCalls } from './context.js';
import { authorCalls, documentCalls } from './documents.js';
import {
  encodeAuthorsQuery,
  encodeChartQuery,
  encodeDocumentsQuery,
  encodeIndicatorsQuery,
} from './encode-queries.js';
import { feed } from './feed.js';
import { importDocuments } from './import-documents.js';
import { monitoringCalls } from './monitorings.js';
import type { AuthorsQuery, DocumentsQuery, Filters } from './queries.js';
import { backoffMs, retryAfterMs } from './transport/backoff.js';
import type { Connection } from './transport/connection.js';
import type { Exchange } from './transport/exchange.js';
import { type Call, openTransport, type Transport } from './transport/http-transport.js';

/** What every answer with indicators holds. */
const INDICATORS_SHAPE: AnswerShape = {
  indicators: { list: { name: 'text', currentValue: 'number?', previousValue: 'number?' } },
};

/**
 * Opens a client of version 5.0. Nothing is sent yet.
 * @throws OptionError if the connection or an option can't be used
 */
export function createClient(connection: Connection, options?: ClientOptions): Client {
  const port = openPort(connection, options);
  const { transport, warn } = port;
  return {
    baseUrl: transport.baseUrl,
    monitorings: monitoringCalls(transport, warn),
    documents: documentCalls(port),
    feed: (query, feedOptions) => feed(port, query, feedOptions),
    context: contextCalls(transport),
    importDocuments: (monitoring, documents, callOptions) =>
      importDocuments(transport, monitoring, documents, callOptions),
    authors: authorCalls(port),
    indicators: filteredCall(port, '/indicators', encodeIndicatorsQuery, INDICATORS_SHAPE),
    chart: filteredCall(port, '/chart', encodeChartQuery),
    close: () => transport.close(),
  };
}

const OPTIONS: OptionTable<keyof ClientOptions> = {
  onWarning: { type: 'any' },
  connections: { type: 'integer', min: 1 },
  filterMethod: { type: 'text', choices: ['POST', 'GET'] },
  retries: { type: 'integer', min: 0 },
};

/** Opens what a client's calls share. @throws OptionError if something of it can't be used */
function openPort(connection: Connection, options: ClientOptions = {}): Port {
  checkOptionTable(options, OPTIONS, 'createClient');
  const { onWarning = emitWarning, connections = 8, filterMethod = 'POST', retries = 6 } = options;
  const transport = retryReads(openTransport(connection, connections), retries);
  return { transport, filterMethod, warn: onWarning };
}

function emitWarning(message: string): void {
  process.emitWarning(message, 'DocferryWarning');
}

/**
 * Version 4.0, which is discontinued and open to its users only (reference, "Legacy 4.0 API").
 * Filters travel in the address, so that long ones don't fit. Errors are those of `Client`.
 */
export interface LegacyClient {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  monitorings(options?: CallOptions): Promise<LegacyMonitoringList['monitorings']>;
  /** That rankings and `offset` are those of 5.0 is an assumption. */
  documents(query: DocumentsQuery, options?: CallOptions): Promise<LegacyDocuments>;
  /** As for documents. */
  authors(query: AuthorsQuery, options?: CallOptions): Promise<LegacyAuthors>;
  indicators(query: Filters, options?: CallOptions): Promise<Indicators>;
  /** Waits for calls in flight, then closes the connections. */
  close(): Promise<void>;
}

const MONITORINGS = { monitorings: { list: { id: 'integer', title: 'text' } } } as const;
const DOCUMENTS = { data: { list: { id: 'integer' } } } as const;
const AUTHORS = {
  data: { list: { id: 'integer' } },
  total: 'count',
  offset: 'count?',
  count: 'count?',
} as const;

/**
 * Opens a client of version 4.0. Nothing is sent yet.
 * @throws OptionError if the connection or an option can't be used
 */
export function createLegacyClient(
  connection: Connection,
  options?: Omit<ClientOptions, 'filterMethod'>,
): LegacyClient {
  const port = openPort(connection, { ...options, filterMethod: 'GET' });
  const { transport } = port;
  return {
    baseUrl: transport.baseUrl,
    monitorings: async (callOptions) => {
      const question = { method: 'GET', path: '/monitorings', shape: MONITORINGS } as const;
      return (await ask<LegacyMonitoringList>(transport, question, callOptions)).monitorings;
    },
    documents: filteredCall(port, '/documents', encodeDocumentsQuery, DOCUMENTS),
    authors: filteredCall(port, '/authors', encodeAuthorsQuery, AUTHORS),
    indicators: filteredCall(port, '/indicators', encodeIndicatorsQuery, INDICATORS_SHAPE),
    close: () => transport.close(),
  };
}

/** A longer `Retry-After` isn't waited for. */
const MAX_RETRY_AFTER_MS = 60_000;

/** Statuses of a service, or of a gateway, that is busy or away for a moment. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Codes of a connection that broke, or of a network that is away. */
const BROKEN =
  /^(ECONN\w+|EPIPE|ETIMEDOUT|E(?:NET|HOST)UNREACH|EAI_AGAIN|UND_ERR_(?:SOCKET|CONNECT_TIMEOUT))$/;

/** The same transport, which asks again where a read failed for a moment. What changes is sent once. */
function retryReads(transport: Transport, retries: number): Transport {
  let everAnswered = false;
  const send = async (call: Call): Promise<Exchange> => {
    for (let failures = 0; ; failures += 1) {
      const exchange = await transport.send(call);
      everAnswered ||= exchange.kind === 'answer';
      if (call.changes || failures >= retries || !passes(exchange, everAnswered)) return exchange;
      const waitMs = askedWaitMs(exchange) ?? backoffMs(failures, Math.random());
      if (waitMs > MAX_RETRY_AFTER_MS) return exchange;
      await wait(waitMs, undefined, { signal: call.signal }).catch(() => {});
      if (call.signal?.aborted) return { kind: 'not-sent', message: 'the call was aborted' };
    }
  };
  return { ...transport, send };
}

/** @param everAnswered before a service has ever answered, its address is likely to be wrong */
function passes(exchange: Exchange, everAnswered: boolean): boolean {
  if (exchange.kind === 'answer') return PASSING.has(exchange.status);
  const { kind, code = '' } = exchange;
  return BROKEN.test(code) && (kind === 'no-answer' || everAnswered);
}

function askedWaitMs(exchange: Exchange): number | undefined {
  return exchange.kind === 'answer' ? retryAfterMs(exchange, Date.now()) : undefined;
}
