import { authorCalls } from './authors.js';
import type { Client, ClientOptions } from './client.js';
import type { Connection } from './connection.js';
import { contextCalls } from './context.js';
import { documentCalls } from './documents.js';
import { feed } from './feed.js';
import { chart, indicators } from './figures.js';
import { importDocuments } from './import-documents.js';
import { monitoringCalls } from './monitorings.js';
import { openPort } from './open-port.js';

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
