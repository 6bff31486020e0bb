import { X509Certificate } from 'node:crypto';
import { OptionError } from '../../model/errors.js';
import { checkNames, type Names } from '../../model/names.js';

/** Where the service is, and who asks. */
export interface Connection {
  /** Ends in the version, as in `https://api.example.com/5.0`. HTTPS, but for this machine itself. */
  readonly baseUrl: string;
  /** Normally the e-mail address used to log in to the platform. */
  readonly username: string;
  /** Issued by the service's support. Never part of a message or a report. */
  readonly apiKey: string;
  /** Longest wait for an answer to one request, in milliseconds; default 60,000, at least 1. */
  readonly timeoutMs?: number;
  /**
   * Certificates of a private authority, as PEM text. With it only certificates that this authority
   * signed are trusted; without it those of the public ones, which the service itself uses.
   */
  readonly ca?: string;
}

/** A connection that can be used. */
export type CheckedConnection = Required<Omit<Connection, 'ca'>> & Pick<Connection, 'ca'>;

/** A sandbox is a connection, too, and has another address. */
const NAMES: Names<Connection & { readonly legacyBaseUrl: string }> = {
  baseUrl: true,
  username: true,
  apiKey: true,
  timeoutMs: true,
  ca: true,
  legacyBaseUrl: true,
};

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Checks a connection before anything is sent and gives it back with its base URL in one form,
 * without a slash at its end.
 * @throws OptionError if something is missing, or if credentials would travel unencrypted
 */
export function checkConnection(connection: Connection): CheckedConnection {
  checkNames(withoutMethods(connection), NAMES, 'connection');
  const { username, apiKey, timeoutMs = 60_000, ca } = connection;
  const url = parseUrl(connection.baseUrl);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname))) {
    throw new OptionError(
      `The base URL ${url.origin} does not use HTTPS, so the API key would travel readable: start it with https://.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new OptionError(
      'The base URL holds a user name or a key: give them as user name and API key instead.',
    );
  }
  if (!username || username.includes(':')) {
    throw new OptionError(
      'The user name is missing or holds a colon, which Basic authentication forbids.',
    );
  }
  if (!apiKey) throw new OptionError('The API key is missing.');
  if (!Number.isFinite(timeoutMs) || timeoutMs < 1) {
    throw new OptionError(`The timeout is ${timeoutMs}; expected milliseconds, at least 1.`);
  }
  const baseUrl = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  return { baseUrl, username, apiKey, timeoutMs, ...(ca !== undefined && checkAuthority(ca)) };
}

/** What a connection can do besides, as a sandbox can, is no slip. */
function withoutMethods(connection: unknown): unknown {
  if (typeof connection !== 'object' || connection === null) return connection;
  const entries = Object.entries(connection).filter(([, value]) => typeof value !== 'function');
  return Object.fromEntries(entries);
}

function parseUrl(baseUrl: string): URL {
  try {
    return new URL(baseUrl);
  } catch {
    // What stands before an @ is meant as credentials.
    const shown = String(baseUrl).replace(/^.*@/s, '…@');
    throw new OptionError(
      `The base URL "${shown}" is no address; expected something like https://api.example.com/5.0.`,
    );
  }
}

/** Node passes over text that is no certificate, and then trusts nobody, which is hard to find. */
function checkAuthority(ca: string): { ca: string } {
  try {
    new X509Certificate(ca);
    return { ca };
  } catch {
    throw new OptionError(
      'The certificate of the private authority (ca) can\'t be read; expected PEM text that starts with "-----BEGIN CERTIFICATE-----".',
    );
  }
}

/** Gives a text back with the credentials in it made unreadable. */
export type Mask = (text: string) => string;

/** A key this short is likely to stand inside ordinary words, and is hidden as a word only. */
const LIKE_A_WORD = 8;

/**
 * Hides the API key, the pair and its Base64 form, and the key as it stands in addresses. Nothing
 * here puts them into a text; but a server, or something between, may send back what it was sent.
 */
export function credentialsMask(username: string, apiKey: string): Mask {
  const pair = `${username}:${apiKey}`;
  const secrets = [
    escaped(pair),
    escaped(Buffer.from(pair, 'utf8').toString('base64')),
    ...[apiKey, inAddress(apiKey)].map((key) => {
      const part = escaped(key);
      return key.length < LIKE_A_WORD ? `(?<![\\p{L}\\p{N}])${part}(?![\\p{L}\\p{N}])` : part;
    }),
  ];
  const pattern = new RegExp(secrets.join('|'), 'gu');
  return (text) => text.replace(pattern, '[hidden]');
}

/** A lone surrogate can't stand in an address; what Basic authentication makes of it can. */
function inAddress(text: string): string {
  return encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8'));
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
