import type { Client, ClientOptions } from './client.js';
import type { Connection } from './connection.js';

/** Opens a client of version 5.0. @throws OptionError if the connection can't be used */
export function createClient(connection: Connection, options?: ClientOptions): Client {
  throw new Error(`Not built yet: ${connection.baseUrl} ${options?.connections}`);
}
