import { setTimeout as wait } from 'node:timers/promises';
import { checkOptionTable, type OptionTable } from '../model/options.js';
import { type AnswerShape, type ClientContext, filteredCall } from './ask.js';
import type { Client, ClientOptions } from './client.js';
import { contextCalls } from './context.js';
import { authorCalls, documentCalls } from './documents.js';
import { encodeChartQuery, encodeIndicatorsQuery } from './encode-queries.js';
import { feed } from './feed.js';
import { monitoringCalls } from './monitorings.js';
import { importBatch } from './post-documents.js';
import { backoffMs, retryAfterMs } from './transport/backoff.js';
import type { Connection } from './transport/connection.js';
import type { Exchange } from './transport/exchange.js';
import { type Call, openTransport, type Transport } from './transport/http-transport.js';

const INDICATORS_SHAPE: AnswerShape = {
  indicators: { list: { name: 'text', currentValue: 'number?', previousValue: 'number?' } },
};

/**
 * Creates a client of version 5.0. Sends nothing yet.
 * @throws OptionError if the connection or an option is invalid
 */
export function createClient(connection: Connection, options: ClientOptions = {}): Client {
  checkOptionTable(options, OPTIONS, 'createClient');
  const { onWarning: warn = emitWarning, connections = 8 } = options;
  const { filterMethod = 'POST', retries = 6 } = options;
  const transport = retryReads(openTransport(connection, connections), retries);
  const port: ClientContext = { transport, filterMethod, warn };
  return {
    baseUrl: transport.baseUrl,
    monitorings: monitoringCalls(transport, warn),
    documents: documentCalls(port),
    feed: (query, feedOptions) => feed(port, query, feedOptions),
    context: contextCalls(transport),
    importDocuments: (monitoring, documents, callOptions) =>
      importBatch(transport, monitoring, documents, callOptions),
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

function emitWarning(message: string): void {
  process.emitWarning(message, 'DocferryWarning');
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
