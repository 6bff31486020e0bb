import type { Argv } from 'yargs';
import type { Client } from '../api/index.js';
import { CONNECTION_OPTIONS, type ConnectionArguments } from './connection-options.js';
import {
  connectionTo,
  EMBEDDED_OPTIONS,
  type EmbeddedArguments,
  startEmbeddedSandbox,
} from './embedded-sandbox.js';
import { say } from './say.js';

/** What every command that asks the service takes. */
export type ServiceArguments = ConnectionArguments & EmbeddedArguments;

/** Adds where the service is to a command. */
export function withService<T>(argv: Argv<T>): Argv<T & ServiceArguments> {
  return argv
    .options(CONNECTION_OPTIONS)
    .options(EMBEDDED_OPTIONS)
    .group(
      [...Object.keys(CONNECTION_OPTIONS), ...Object.keys(EMBEDDED_OPTIONS)],
      'Service:',
    ) as unknown as Argv<T & ServiceArguments>;
}

/** Lends a client of the service, or of the embedded sandbox, and closes it afterwards. */
export async function withClient<T>(
  args: ServiceArguments,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const { createClient } = await import('../api/index.js');
  const sandbox = await startEmbeddedSandbox(args);
  try {
    const client = createClient(connectionTo(sandbox, args), { onWarning: say });
    try {
      return await use(client);
    } finally {
      await client.close();
    }
  } finally {
    await sandbox?.close();
  }
}
