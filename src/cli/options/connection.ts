import type { Argv, InferredOptionTypes } from 'yargs';
import type { Connection } from '../../index.js';
import { OptionError } from '../../model/errors.js';
import { readSmallTextSync, unreadableReason } from '../../model/small-file.js';
import { readAddress } from '../../operations/state-place.js';
import { type With, withGroup } from '../command.js';

/** Options of every command that asks the service. The key is never one: others could read it. */
export const SERVICE_OPTIONS = {
  'base-url': {
    type: 'string',
    requiresArg: true,
    describe: 'Address of the service, ending in the version (or DOCFERRY_BASE_URL)',
  },
  username: { type: 'string', requiresArg: true, describe: 'User name (or DOCFERRY_USERNAME)' },
  'api-key-file': {
    type: 'string',
    requiresArg: true,
    describe: 'File that holds the API key (or DOCFERRY_API_KEY, DOCFERRY_API_KEY_FILE)',
  },
  ca: {
    type: 'string',
    requiresArg: true,
    describe: 'PEM file of a private authority: only its certificates are trusted (or DOCFERRY_CA)',
  },
  timeout: {
    type: 'number',
    requiresArg: true,
    describe: 'Seconds to wait for an answer (default 60)',
  },
  sandbox: {
    type: 'boolean',
    default: false,
    describe: 'Use an embedded sandbox: no service, no credentials',
  },
  'state-dir': {
    type: 'string',
    requiresArg: true,
    default: '.docferry',
    describe: 'Where docferry keeps what it must remember, the sandbox among it',
  },
  state: {
    type: 'string',
    requiresArg: true,
    describe: 'Instead, a Postgres database that workers share (or DOCFERRY_STATE)',
  },
} as const;

/** The parsed form of {@link SERVICE_OPTIONS}. */
export type ServiceArguments = InferredOptionTypes<typeof SERVICE_OPTIONS>;

/** The part of it that says where the service is. */
export type ConnectionArguments = Omit<ServiceArguments, 'sandbox' | StateName>;

type StateName = 'state-dir' | 'state';

/** The part that says where runs are kept. */
export type StateArguments = Pick<ServiceArguments, StateName>;

/**
 * The address of the shared state, if runs are kept in one.
 * @throws OptionError if it is none
 */
export function sharedState({ state }: Partial<StateArguments>): string | undefined {
  const shared = state ?? (process.env['DOCFERRY_STATE'] || undefined);
  if (shared !== undefined) readAddress(shared);
  return shared;
}

/** Where runs are kept: a folder, or the address of a shared state. */
export function stateOf(args: StateArguments): string {
  return sharedState(args) ?? args['state-dir'];
}

/** Adds where the service is to a command. */
export function withService<Before>(argv: Argv<Before>): Argv<With<Before, ServiceArguments>> {
  return withGroup(argv, 'Service:', SERVICE_OPTIONS);
}

/** The flags given that name another service than the embedded sandbox. */
export function namedService(args: ConnectionArguments): readonly string[] {
  const flags = ['base-url', 'username', 'api-key-file', 'ca'] as const;
  return flags.filter((name) => args[name] !== undefined);
}

/**
 * Puts the connection together from flags and environment; a flag wins.
 * @throws OptionError that says what is missing and how to give it
 */
export function connectionOf(args: ConnectionArguments, env: NodeJS.ProcessEnv): Connection {
  const baseUrl = args['base-url'] ?? env['DOCFERRY_BASE_URL'];
  const username = args.username ?? env['DOCFERRY_USERNAME'];
  const keyFile = args['api-key-file'] ?? env['DOCFERRY_API_KEY_FILE'];
  const key = args['api-key-file'] === undefined ? env['DOCFERRY_API_KEY'] : undefined;
  const missing = [
    baseUrl ? [] : ['the base URL (--base-url or DOCFERRY_BASE_URL)'],
    username ? [] : ['the user name (--username or DOCFERRY_USERNAME)'],
    key || keyFile
      ? []
      : ['the API key (--api-key-file, DOCFERRY_API_KEY_FILE or DOCFERRY_API_KEY)'],
  ].flat();
  if (missing.length > 0) {
    throw new OptionError(
      `Missing to reach the service: ${missing.join(', ')}. To try without a service, use --sandbox.`,
    );
  }
  const apiKey =
    key ||
    readKey(
      keyFile as string,
      args['api-key-file'] === undefined ? 'DOCFERRY_API_KEY_FILE' : '--api-key-file',
    );
  const authority = args.ca ?? env['DOCFERRY_CA'];
  const ca = authority ? { ca: readText('certificate file', authority) } : {};
  const service = { baseUrl: baseUrl as string, username: username as string, apiKey };
  return { ...service, ...ca, ...timeoutOf(args) };
}

/** How long to wait for an answer, whatever the service is. */
export function timeoutOf({
  timeout,
}: Pick<ConnectionArguments, 'timeout'>): Pick<Connection, 'timeoutMs'> {
  return timeout === undefined ? {} : { timeoutMs: timeout * 1000 };
}

/** What stands where a file's name should may be the key itself: it is named only once read. */
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
