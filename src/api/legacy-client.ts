import type {
  LegacyAuthors,
  LegacyDocuments,
  LegacyMonitoringList,
} from '../service/legacy-resources.js';
import type { Indicators } from '../service/resources.js';
import type { CallOptions, ClientOptions } from './client.js';
import type { Connection } from './connection.js';
import type { AuthorsQuery, DocumentsQuery, Filters } from './queries.js';

/**
 * Version 4.0, which is discontinued and open to its users only (reference, "Legacy 4.0 API").
 * Filters travel in the address. Errors are those of the client of 5.0.
 */
export interface LegacyClient {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  monitorings(options?: CallOptions): Promise<LegacyMonitoringList['monitorings']>;
  documents(query: DocumentsQuery, options?: CallOptions): Promise<LegacyDocuments>;
  authors(query: AuthorsQuery, options?: CallOptions): Promise<LegacyAuthors>;
  indicators(query: Filters, options?: CallOptions): Promise<Indicators>;
  /** Waits for calls under way, then closes the connections. */
  close(): Promise<void>;
}

/** Opens a client of version 4.0. @throws OptionError if the connection can't be used */
export function createLegacyClient(
  connection: Connection,
  options?: Omit<ClientOptions, 'filterMethod'>,
): LegacyClient {
  throw new Error(`Not built yet: ${connection.baseUrl} ${options?.connections}`);
}
