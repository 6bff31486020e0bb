import { join } from 'node:path';
import type { Client, Connection } from '../api/index.js';
import { OptionError } from '../model/errors.js';
import type { Sandbox } from '../sandbox/index.js';
import {
  type ConnectionArguments,
  connectionOf,
  namedService,
  type ServiceArguments,
  stateDirOf,
  timeoutOf,
} from './options/connection.js';
import { say } from './print.js';

/** Its name in journals: it has another port each time, and what it holds is the same. */
export const SANDBOX_SERVICE = 'sandbox';

/**
 * What is known of it, so that a run need not find it out: it has no faults, and stores all
 * documents of a call or none.
 */
export const KNOWN_OF_SANDBOX = { refusals: 'atomic' } as const;

/** How to reach the embedded sandbox if there is one, else the service that is named. */
export function connectionTo(sandbox: Sandbox | undefined, args: ConnectionArguments): Connection {
  if (sandbox === undefined) return connectionOf(args, process.env);
  const { baseUrl, username, apiKey } = sandbox;
  return { baseUrl, username, apiKey, ...timeoutOf(args) };
}

/** Where its documents are kept. */
export function sandboxData(stateDir: string): string {
  return join(stateDir, 'sandbox');
}

/**
 * Starts the embedded sandbox if it is asked for. It keeps its documents, so that other commands
 * find them afterwards.
 * @throws OptionError if a service is named as well
 */
export async function startEmbeddedSandbox(args: ServiceArguments): Promise<Sandbox | undefined> {
  if (!args.sandbox) return undefined;
  const given = namedService(args);
  if (given.length > 0) {
    throw new OptionError(`--sandbox needs no connection: leave out --${given.join(', --')}.`);
  }
  const { startSandbox } = await import('../sandbox/index.js');
  return await startSandbox({ data: sandboxData(stateDirOf(args)) });
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
