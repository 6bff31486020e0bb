import { checkOptionTable, type OptionTable } from '../model/options.js';
import type { AnswerShape } from './answer-shape.js';
import { filteredCall, type Port } from './ask.js';
import type { Client, ClientOptions } from './client.js';
import { contextCalls } from './context.js';
import { authorCalls, documentCalls } from './documents.js';
import { feed } from './feed.js';
import { importDocuments } from './import-documents.js';
import { monitoringCalls } from './monitorings.js';
import { encodeChartQuery, encodeIndicatorsQuery } from './queries/encode-queries.js';
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
export function openPort(connection: Connection, options: ClientOptions = {}): Port {
  checkOptionTable(options, OPTIONS, 'createClient');
  const { onWarning = emitWarning, connections = 8, filterMethod = 'POST', retries = 6 } = options;
  const transport = retryReads(openTransport(connection, connections), retries);
  return { transport, filterMethod, warn: onWarning };
}

function emitWarning(message: string): void {
  process.emitWarning(message, 'DocferryWarning');
}

/** What every answer with indicators holds. */
export const INDICATORS_SHAPE: AnswerShape = {
  indicators: { list: { name: 'text', currentValue: 'number?', previousValue: 'number?' } },
};
