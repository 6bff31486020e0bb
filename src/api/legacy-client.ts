import type {
  LegacyAuthors,
  LegacyDocuments,
  LegacyMonitoringList,
} from '../service/legacy-resources.js';
import type { Indicators } from '../service/resources.js';
import { ask, filteredCall } from './ask.js';
import type { CallOptions, ClientOptions } from './client.js';
import { INDICATORS_SHAPE, openPort } from './create-client.js';
import {
  encodeAuthorsQuery,
  encodeDocumentsQuery,
  encodeIndicatorsQuery,
} from './queries/encode-queries.js';
import type { AuthorsQuery, DocumentsQuery, Filters } from './queries/queries.js';
import type { Connection } from './transport/connection.js';

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
