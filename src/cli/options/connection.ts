import type { Options } from 'yargs';
import type { Connection } from '../../api/connection.js';
import { OptionError } from '../../model/errors.js';
import { readSmallTextSync, unreadableReason } from '../../model/small-file.js';

/** The parsed form of {@link CONNECTION_OPTIONS}. */
export interface ConnectionArguments {
  readonly 'base-url': string | undefined;
  readonly username: string | undefined;
  readonly 'api-key-file': string | undefined;
  readonly ca: string | undefined;
  readonly timeout: number | undefined;
}

/** Options that say where the service is. The key is never an argument: others could read it. */
export const CONNECTION_OPTIONS: Readonly<Record<keyof ConnectionArguments, Options>> = {
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
};

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
