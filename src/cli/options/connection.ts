import { join } from 'node:path';
import type { Client, Connection } from '../../api/index.js';
import { OptionError } from '../../model/errors.js';
import { grouped, option } from '../../model/options.js';
import { readSmallTextSync, unreadableReason } from '../../model/small-file.js';
import { readAddress } from '../../operations/options.js';
import type { Sandbox } from '../../sandbox/index.js';
import { say } from '../print.js';
import type { Given } from './flags.js';

/** Options that say where the service is. The key is never one: others could read it. */
export const CONNECTION_OPTIONS = grouped('Service:', {
  baseUrl: option.text('base-url', 'Address of the service, ending in the version', {
    env: 'DOCFERRY_BASE_URL',
  }),
  username: option.text('username', 'User name', {
    env: 'DOCFERRY_USERNAME',
  }),
  apiKeyFile: option.text(
    'api-key-file',
    'File that holds the API key, unless DOCFERRY_API_KEY does',
    { env: 'DOCFERRY_API_KEY_FILE', offers: 'files' },
  ),
  ca: option.text('ca', 'PEM file of a private authority: only its certificates are trusted', {
    env: 'DOCFERRY_CA',
    offers: 'files',
  }),
  timeoutMs: option.number('timeout', 'Seconds to wait for an answer', {
    min: 1,
    unit: 'seconds',
    default: 60_000,
  }),
});

/** Options that say where runs are kept. */
export const STATE_OPTIONS = grouped('Service:', {
  stateDir: option.text('state-dir', 'Folder for journals, the ledger and the embedded sandbox', {
    default: '.docferry',
    offers: 'folders',
  }),
  state: option.text('state', 'Instead, a Postgres database that workers share', {
    env: 'DOCFERRY_STATE',
  }),
});

export const SANDBOX_OPTION = grouped('Service:', {
  sandbox: option.boolean('sandbox', 'Use an embedded sandbox: no service, no credentials'),
});

/** Options of every command that asks the service. */
export const SERVICE_OPTIONS = { ...CONNECTION_OPTIONS, ...SANDBOX_OPTION, ...STATE_OPTIONS };

type ConnectionArguments = Given<typeof CONNECTION_OPTIONS>;
export type StateArguments = Given<typeof STATE_OPTIONS>;
export type ServiceArguments = Given<typeof SERVICE_OPTIONS>;

/** Folder of the journals, the ledger and the embedded sandbox. */
export function stateDirOf({ stateDir = STATE_OPTIONS.stateDir.default }: StateArguments): string {
  return stateDir;
}

/**
 * The address of the shared state, if runs are kept in one.
 * @throws OptionError if it is no address
 */
export function sharedState({ state }: StateArguments): string | undefined {
  const shared = state ?? (process.env[STATE_OPTIONS.state.env] || undefined);
  if (shared !== undefined) readAddress(shared);
  return shared;
}

/** Where runs are kept: a folder, or the address of a shared state. */
export function stateOf(args: StateArguments): string {
  return sharedState(args) ?? stateDirOf(args);
}

/** The flags given that name another service than the embedded sandbox. */
export function namedService(args: ConnectionArguments): readonly string[] {
  const names = ['baseUrl', 'username', 'apiKeyFile', 'ca'] as const;
  return names
    .filter((name) => args[name] !== undefined)
    .map((name) => CONNECTION_OPTIONS[name].flag);
}

/**
 * Puts the connection together from flags and environment; a flag wins.
 * @throws OptionError that says what is missing and how to give it
 */
export function connectionOf(args: ConnectionArguments, env: NodeJS.ProcessEnv): Connection {
  const from = (name: Exclude<keyof ConnectionArguments, 'timeoutMs'>): string | undefined =>
    args[name] ?? (env[CONNECTION_OPTIONS[name].env] || undefined);
  const baseUrl = from('baseUrl');
  const username = from('username');
  const keyFile = from('apiKeyFile');
  const key = args.apiKeyFile === undefined ? env['DOCFERRY_API_KEY'] || undefined : undefined;
  const missing = [
    baseUrl ? [] : ['the base URL (--base-url or DOCFERRY_BASE_URL)'],
    username ? [] : ['the user name (--username or DOCFERRY_USERNAME)'],
    key || keyFile
      ? []
      : ['the API key (--api-key-file, DOCFERRY_API_KEY_FILE or DOCFERRY_API_KEY)'],
  ].flat();
  if (missing.length > 0) {
    throw new OptionError(
      `To reach the service, give ${missing.join(', ')}. To try without a service, use --sandbox.`,
    );
  }
  const given = args.apiKeyFile === undefined ? 'DOCFERRY_API_KEY_FILE' : '--api-key-file';
  const apiKey = key ?? readKey(keyFile as string, given);
  const authority = from('ca');
  const ca = authority ? { ca: readText('certificate file', authority) } : {};
  const service = { baseUrl: baseUrl as string, username: username as string, apiKey };
  return { ...service, ...ca, ...timeoutOf(args) };
}

/** How long to wait for an answer, whatever the service is. */
function timeoutOf({ timeoutMs }: ConnectionArguments): Pick<Connection, 'timeoutMs'> {
  return timeoutMs === undefined ? {} : { timeoutMs };
}

/** Reads the key. The name of the file is shown only once it is read: it may be the key itself. */
function readKey(file: string, option: string): string {
  let key: string;
  try {
    key = readSmallTextSync(file).trim();
  } catch (error) {
    throw new OptionError(
      `${option} names no file that can be read (${unreadableReason(error)}). Its value is not shown, as it may be the key: write the key into a file, and name that.`,
    );
  }
  if (key === '') throw new OptionError(`The API key file ${file} is empty.`);
  return key;
}

function readText(what: string, file: string): string {
  try {
    return readSmallTextSync(file);
  } catch (error) {
    throw new OptionError(`The ${what} ${file} can't be read (${unreadableReason(error)}).`);
  }
}

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
  const { startSandbox } = await import('../../sandbox/index.js');
  return await startSandbox({ data: sandboxData(stateDirOf(args)) });
}

/** Lends a client of the service, or of the embedded sandbox, and closes it afterwards. */
export async function withClient<T>(
  args: ServiceArguments,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const { createClient } = await import('../../api/index.js');
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
