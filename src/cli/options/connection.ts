import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, Connection } from '../../api/index.js';
import { AuthenticationError, OptionError } from '../../model/errors.js';
import { grouped, option } from '../../model/options.js';
import { readSmallFile, unreadableReason } from '../../model/small-file.js';
import { DEFAULT_STATE_DIR } from '../../operations/option-table.js';
import { readAddress } from '../../operations/options.js';
import { checkStateDir } from '../../operations/settings.js';
import type { Sandbox } from '../../sandbox/index.js';
import type { OptionValues } from './flags.js';

/** Options for the connection. The key isn't one, because other users can read arguments. */
export const CONNECTION_OPTIONS = grouped('Service:', {
  baseUrl: option.text('base-url', 'Address of the service, ending in the version', {
    env: 'DOCFERRY_BASE_URL',
  }),
  username: option.text('username', 'User name', {
    env: 'DOCFERRY_USERNAME',
  }),
  apiKeyFile: option.text('api-key-file', 'File with the API key, unless DOCFERRY_API_KEY is set', {
    env: 'DOCFERRY_API_KEY_FILE',
    file: 'read',
  }),
  ca: option.text('ca', 'PEM file of a private certificate authority, the only one to trust', {
    env: 'DOCFERRY_CA',
    file: 'read',
  }),
  timeoutMs: option.number('timeout', 'Seconds to wait for an answer', {
    min: 1,
    unit: 'seconds',
    default: 60_000,
  }),
});

/** Options for the place where runs are stored. */
export const STATE_OPTIONS = grouped('Service:', {
  stateDir: option.text('state-dir', 'Folder for journals, the ledger and the embedded sandbox', {
    default: DEFAULT_STATE_DIR,
  }),
  state: option.text('state', 'Postgres database that machines share, instead of --state-dir', {
    env: 'DOCFERRY_STATE',
  }),
});

export const SANDBOX_OPTION = grouped('Service:', {
  sandbox: option.boolean(
    'sandbox',
    'Use an embedded sandbox instead of the service: no credentials needed',
  ),
});

/** Options of all commands that call the service. */
export const SERVICE_OPTIONS = { ...CONNECTION_OPTIONS, ...SANDBOX_OPTION, ...STATE_OPTIONS };

type ConnectionArguments = OptionValues<typeof CONNECTION_OPTIONS>;
export type StateArguments = OptionValues<typeof STATE_OPTIONS>;
export type ServiceArguments = OptionValues<typeof SERVICE_OPTIONS>;

/**
 * Returns the folder of the journals, the ledger and the embedded sandbox.
 * @throws OptionError for a file
 */
export function stateDirOf({ stateDir = STATE_OPTIONS.stateDir.default }: StateArguments): string {
  if (!isFile(stateDir)) return stateDir;
  throw new OptionError(`--state-dir ${stateDir} is a file: name a folder.`);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // The reason it can't be used is reported at its own place.
    return false;
  }
}

/**
 * Returns the address of the shared state, if one is given.
 * @throws OptionError if it is invalid
 */
export function sharedState({ state, stateDir }: StateArguments): string | undefined {
  // --state-dir takes precedence over DOCFERRY_STATE, as flags do over variables.
  const given = stateDir === undefined ? process.env[STATE_OPTIONS.state.env] : undefined;
  const shared = state ?? (given || undefined);
  if (shared !== undefined) readAddress(shared);
  return shared;
}

/** Returns the place where runs are stored: a folder, or the address of a shared state. */
export function stateOf(args: StateArguments): string {
  return sharedState(args) ?? stateDirOf(args);
}

/** Returns the given flags that name a service other than the embedded sandbox. */
export function givenServiceFlags(args: ConnectionArguments): readonly string[] {
  const names = ['baseUrl', 'username', 'apiKeyFile', 'ca'] as const;
  return names
    .filter((name) => args[name] !== undefined)
    .map((name) => CONNECTION_OPTIONS[name].flag);
}

/**
 * Reads the connection from flags and environment; flags take precedence.
 * @throws OptionError listing what is missing and how to give it
 */
export function readConnection(args: ConnectionArguments, env: NodeJS.ProcessEnv): Connection {
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
      `To reach the service, give ${new Intl.ListFormat('en').format(missing)}. To try without a service, use --sandbox.`,
    );
  }
  const given = args.apiKeyFile === undefined ? 'DOCFERRY_API_KEY_FILE' : '--api-key-file';
  const apiKey = key === undefined ? readKey(keyFile as string, given) : key;
  checkKey(apiKey, key === undefined ? `The API key file ${keyFile}` : 'DOCFERRY_API_KEY');
  const authority = from('ca');
  const ca = authority ? { ca: readCertificate(authority) } : {};
  const service = { baseUrl: baseUrl as string, username: username as string, apiKey };
  return { ...service, ...ca, ...timeoutOf(args) };
}

/** Names where the key came from, for one that was refused. */
export function keySource(args: ConnectionArguments, env: NodeJS.ProcessEnv): string {
  const file = args.apiKeyFile ?? env['DOCFERRY_API_KEY_FILE'];
  if (args.apiKeyFile === undefined && env['DOCFERRY_API_KEY']) {
    return 'The key came from the variable DOCFERRY_API_KEY.';
  }
  const from = args.apiKeyFile === undefined ? 'DOCFERRY_API_KEY_FILE' : '--api-key-file';
  return `The key came from the file ${file} (${from}).`;
}

function timeoutOf({ timeoutMs }: ConnectionArguments): Pick<Connection, 'timeoutMs'> {
  return timeoutMs === undefined ? {} : { timeoutMs };
}

/**
 * Reads the key. The file is named only in errors after reading it, because the value may be the
 * key itself.
 */
function readKey(file: string, option: string): string {
  let bytes: Buffer;
  try {
    bytes = readSmallFile(file);
  } catch (error) {
    throw new OptionError(
      `${option} does not name a readable file (${unreadableReason(error)}). Its value isn't shown, as it may be the key itself: write the key into a file, and give its name.`,
    );
  }
  if (bytes.includes(0)) {
    throw new OptionError(`The API key file ${file} is in UTF-16: save it as UTF-8.`);
  }
  const key = bytes.toString().trim();
  if (key !== '') return key;
  throw new OptionError(`The API key file ${file} is empty: write the key into it.`);
}

/** Refuses what surrounds a key in files of other programs. @throws OptionError without the key */
function checkKey(key: string, where: string): void {
  if (/^(['"]).*\1$/s.test(key)) {
    throw new OptionError(`${where} has the key in quotes: remove them.`);
  }
  if (/^(export\s+)?\w*(KEY|TOKEN|SECRET)\w*\s*[=:]\s*\S/i.test(key)) {
    throw new OptionError(`${where} has a name before the key: leave only the key in it.`);
  }
  if (/[\r\n]/.test(key)) throw new OptionError(`${where} has several lines: leave only the key.`);
}

function readCertificate(file: string): string {
  let text: string;
  try {
    text = readSmallFile(file).toString();
  } catch (error) {
    throw new OptionError(
      `The certificate file ${file} can't be read (${unreadableReason(error)}).`,
    );
  }
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new OptionError(
    `The certificate file ${file} is not PEM text, which starts with "-----BEGIN CERTIFICATE-----": export the certificate as PEM.`,
  );
}

/** Name of the embedded sandbox in journals: its port changes, but its documents stay. */
export const SANDBOX_SERVICE = 'sandbox';

/**
 * Known behaviour of the sandbox, so that a run need not test for it: it stores all documents of a
 * call or none.
 */
export const SANDBOX_BEHAVIOUR = { refusals: 'atomic' } as const;

/**
 * Returns the connection to the embedded sandbox if there is one, otherwise to the given service.
 */
export function connectionTo(sandbox: Sandbox | undefined, args: ConnectionArguments): Connection {
  if (sandbox === undefined) return readConnection(args, process.env);
  const { baseUrl, username, apiKey } = sandbox;
  return { baseUrl, username, apiKey, ...timeoutOf(args) };
}

export function sandboxData(stateDir: string): string {
  return join(stateDir, 'sandbox');
}

/**
 * Starts the embedded sandbox if requested. It stores its documents, so that later commands find
 * them.
 * @throws OptionError if a service is named as well
 */
export async function startEmbeddedSandbox(args: ServiceArguments): Promise<Sandbox | undefined> {
  if (!args.sandbox) return undefined;
  const given = givenServiceFlags(args);
  if (given.length > 0) {
    throw new OptionError(`--sandbox needs no connection: leave out --${given.join(', --')}.`);
  }
  const stateDir = stateDirOf(args);
  checkStateDir(stateDir);
  const { startSandbox } = await import('../../sandbox/index.js');
  return await startSandbox({ data: sandboxData(stateDir) });
}

/** @throws OptionError if runs of the embedded sandbox would be stored where others see them */
export function refuseSharedSandbox(sandbox: boolean | undefined, state: string | undefined): void {
  if (state === undefined || !sandbox) return;
  throw new OptionError(
    "The embedded sandbox runs in this process, where others can't reach it: start one with `docferry sandbox` and give its address, or leave out --state (DOCFERRY_STATE).",
  );
}

/** Adds to an error about refused credentials where the key came from. */
export function withKeySource(error: unknown, args: ServiceArguments): unknown {
  if (error instanceof AuthenticationError && !args.sandbox) {
    error.message += ` ${keySource(args, process.env)}`;
  }
  return error;
}

/** Calls a function with the connection to the service or embedded sandbox. */
export async function withConnection<T>(
  args: ServiceArguments,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  const sandbox = await startEmbeddedSandbox(args);
  try {
    return await use(connectionTo(sandbox, args));
  } catch (error) {
    throw withKeySource(error, args);
  } finally {
    await sandbox?.close();
  }
}

/** Calls a function with a client of the service or embedded sandbox, and closes it afterwards. */
export async function withClient<T>(
  args: ServiceArguments,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const { createClient } = await import('../../api/index.js');
  return await withConnection(args, async (connection) => {
    const client = createClient(connection);
    try {
      return await use(client);
    } finally {
      await client.close();
    }
  });
}
