import { X509Certificate } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { OptionError } from '../../model/errors.js';
import { checkNames, type Names } from '../../model/options.js';

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
  /** Further headers of every request, as a gateway may want them. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Makes the connections: a dispatcher of undici, such as an `Agent` with a client certificate. It
   * is not closed. `HTTPS_PROXY` doesn't count beside it, and `ca` is refused.
   */
  readonly dispatcher?: Dispatcher;
}

/** A connection that can be used. */
export type CheckedConnection = Required<Omit<Connection, 'ca' | 'dispatcher'>> &
  Pick<Connection, 'ca' | 'dispatcher'>;

/** A sandbox is a connection, too, and has another address. */
const NAMES: Names<Connection & { readonly legacyBaseUrl: string }> = {
  baseUrl: true,
  username: true,
  apiKey: true,
  timeoutMs: true,
  ca: true,
  headers: true,
  dispatcher: true,
  legacyBaseUrl: true,
};

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a service runs on this machine itself, so that nothing is between. */
export function isThisMachine({ hostname }: URL): boolean {
  return LOOPBACK.test(hostname);
}

/**
 * Checks a connection before anything is sent and gives it back with its base URL in one form,
 * without a slash at its end.
 * @throws OptionError if something is missing, or if credentials would travel unencrypted
 */
export function checkConnection(connection: Connection): CheckedConnection {
  checkNames(withoutMethods(connection), NAMES, 'connection');
  const { username, apiKey, timeoutMs = 60_000, ca, headers = {}, dispatcher } = connection;
  const url = parseUrl(connection.baseUrl);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isThisMachine(url))) {
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
  checkHeaders(headers);
  if (ca !== undefined) checkAuthority(ca);
  if (ca !== undefined && dispatcher !== undefined) {
    throw new OptionError(
      'ca has no effect beside a dispatcher: give it the certificates instead.',
    );
  }
  const optional = { ...(ca && { ca }), ...(dispatcher && { dispatcher }) };
  // In lower case, so that none stands there twice.
  const inLowerCase = Object.fromEntries(new Headers(headers));
  return { baseUrl, username, apiKey, timeoutMs, headers: inLowerCase, ...optional };
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
function checkAuthority(ca: string): void {
  try {
    new X509Certificate(ca);
  } catch {
    throw new OptionError(
      'The certificate of the private authority (ca) can\'t be read; expected PEM text that starts with "-----BEGIN CERTIFICATE-----".',
    );
  }
}

/** Headers that say who asks, and how the request is read. */
const OWN_HEADERS = new Set([
  ...['authorization', 'host', 'accept', 'connection', 'expect', 'upgrade', 'keep-alive'],
  ...['content-type', 'content-length', 'content-encoding', 'transfer-encoding'],
]);
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const VALUE = /^[\t\x20-\x7e]*$/;

/** A header that can't be sent would leave every document unconfirmed. Its value may be a secret. */
function checkHeaders(headers: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (OWN_HEADERS.has(name.toLowerCase())) {
      throw new OptionError(`headers: ${name.toLowerCase()} is set by docferry; leave it out.`);
    }
    if (NAME.test(name) && typeof value === 'string' && VALUE.test(value)) continue;
    throw new OptionError(
      `headers: ${JSON.stringify(name)} can't be sent; expected a name in ASCII without blanks, and a text in ASCII on one line.`,
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
