import { OptionError } from '../model/errors.js';
import { checkNames, type Names } from '../model/names.js';
import type { Indicators } from '../service/resources.js';
import type { AnswerShape } from './answer-shape.js';
import { askFiltered, type Port } from './ask.js';
import { showValue } from './checks.js';
import type { CallOptions, Client, ClientOptions } from './client.js';
import { contextCalls } from './context.js';
import { authorCalls, documentCalls } from './documents.js';
import { feed } from './feed.js';
import { importDocuments } from './import-documents.js';
import { monitoringCalls } from './monitorings.js';
import { encodeChartQuery, encodeIndicatorsQuery } from './queries/encode-queries.js';
import type { ChartQuery, Filters } from './queries/queries.js';
import { retryReads } from './retry-reads.js';
import type { Connection } from './transport/connection.js';
import { openTransport } from './transport/http-transport.js';

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
    indicators: (query, callOptions) => indicators(port, query, callOptions),
    chart: (query, callOptions) => chart(port, query, callOptions),
    close: () => transport.close(),
  };
}

const NAMES: Names<ClientOptions> = {
  onWarning: true,
  connections: true,
  filterMethod: true,
  retries: true,
};

/** Opens what a client's calls share. @throws OptionError if something of it can't be used */
export function openPort(connection: Connection, options: ClientOptions = {}): Port {
  checkNames(options, NAMES, 'createClient');
  const { onWarning = emitWarning, connections = 8, filterMethod = 'POST', retries = 6 } = options;
  checkLeast('connections', connections, 1);
  checkLeast('retries', retries, 0);
  if (filterMethod !== 'POST' && filterMethod !== 'GET') {
    throw new OptionError(
      `filterMethod: ${showValue(filterMethod)} is unknown; expected POST or GET.`,
    );
  }
  const transport = retryReads(openTransport(connection, connections), retries);
  return { transport, filterMethod, warn: onWarning };
}

function checkLeast(name: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw new OptionError(
    `${name}: ${showValue(value)} can't be used; expected an integer, at least ${least}.`,
  );
}

function emitWarning(message: string): void {
  process.emitWarning(message, 'DocferryWarning');
}

/** What every answer with indicators holds. */
export const INDICATORS_SHAPE: AnswerShape = {
  indicators: { list: { name: 'text', currentValue: 'number?', previousValue: 'number?' } },
};

/** `POST /indicators`. */
async function indicators(port: Port, query: Filters, options?: CallOptions): Promise<Indicators> {
  const parameters = encodeIndicatorsQuery(query, port.warn);
  const question = { path: '/indicators', parameters, shape: INDICATORS_SHAPE };
  return askFiltered(port, question, options);
}

/** `POST /chart`. */
async function chart(port: Port, query: ChartQuery, options?: CallOptions): Promise<unknown> {
  const parameters = encodeChartQuery(query, port.warn);
  return askFiltered(port, { path: '/chart', parameters }, options);
}
