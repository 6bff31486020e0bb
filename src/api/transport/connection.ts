import { X509Certificate } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { OptionError } from '../../model/errors.js';
import { checkNames, type Names } from '../../model/options.js';
import { escapeRegExp, serviceAddress } from '../../model/text.js';

/** Address and credentials of the service. */
export interface Connection {
  /** Ends in the version, as in `https://api.example.com/5.0`. HTTPS, except on this machine. */
  readonly baseUrl: string;
  /** Normally the e-mail address used to log in to the platform. */
  readonly username: string;
  /** Issued by the service's support. Never part of a message or a report. */
  readonly apiKey: string;
  /** Longest wait for an answer, in milliseconds, at least 1; default 60,000. */
  readonly timeoutMs?: number;
  /**
   * Certificates of a private authority, as PEM text: only certificates that it signed are trusted
   * then. Default: the public authorities.
   */
  readonly ca?: string;
  /** Additional headers of every request, for example for a gateway. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * undici dispatcher that makes the connections, for example an `Agent` with a client certificate.
   * It is not closed. With it, `HTTPS_PROXY` is ignored and `ca` is refused.
   */
  readonly dispatcher?: Dispatcher;
}

/** A valid connection, with defaults filled in. */
export type CheckedConnection = Required<Omit<Connection, 'ca' | 'dispatcher'>> &
  Pick<Connection, 'ca' | 'dispatcher'>;

/** A sandbox is a connection, too, with an additional address. */
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

export function isThisMachine({ hostname }: URL): boolean {
  return LOOPBACK.test(hostname);
}

/**
 * Checks a connection and fills in defaults. Removes repeated slashes and those at the end
 * from the base URL: one service has one address.
 * @throws OptionError if something is missing, or if credentials would be sent unencrypted
 */
export function checkConnection(connection: Connection): CheckedConnection {
  checkNames(withoutMethods(connection), NAMES, 'connection');
  const { username, apiKey, timeoutMs = 60_000, ca, headers = {}, dispatcher } = connection;
  const url = parseUrl(connection.baseUrl);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isThisMachine(url))) {
    throw new OptionError(
      `The base URL ${url.origin} doesn't use HTTPS, so the API key would be sent unencrypted. Start it with https://.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new OptionError(
      'The base URL contains a user name or a key. Give them as user name and API key instead.',
    );
  }
  if (!username || username.includes(':')) {
    throw new OptionError(
      'The user name is missing or contains a colon, which Basic authentication forbids.',
    );
  }
  if (!apiKey) throw new OptionError('The API key is missing.');
  if (!Number.isFinite(timeoutMs) || timeoutMs < 1) {
    throw new OptionError(`The timeout is ${timeoutMs}; expected milliseconds, at least 1.`);
  }
  const baseUrl = serviceAddress(url);
  checkHeaders(headers);
  if (ca !== undefined) checkAuthority(ca);
  if (ca !== undefined && dispatcher !== undefined) {
    throw new OptionError(
      'ca has no effect with a dispatcher. Give the certificates to the dispatcher instead.',
    );
  }
  const optional = { ...(ca && { ca }), ...(dispatcher && { dispatcher }) };
  // In lower case, so that no header appears twice.
  const inLowerCase = Object.fromEntries(new Headers(headers));
  return { baseUrl, username, apiKey, timeoutMs, headers: inLowerCase, ...optional };
}

/** Drops methods: a sandbox, which has some, can be passed as the connection. */
function withoutMethods(connection: unknown): unknown {
  if (typeof connection !== 'object' || connection === null) return connection;
  const entries = Object.entries(connection).filter(([, value]) => typeof value !== 'function');
  return Object.fromEntries(entries);
}

function parseUrl(baseUrl: string): URL {
  if (/^(localhost|[\w-]+(\.[\w-]+)+)(:\d+)?(\/[^@]*)?$/.test(baseUrl)) {
    throw new OptionError(
      `The base URL ${baseUrl} has no scheme. Start it with https://, as in https://${baseUrl}.`,
    );
  }
  try {
    return new URL(baseUrl);
  } catch {
    // Text before an @ may be credentials.
    const shown = String(baseUrl).replace(/^.*@/s, '…@');
    throw new OptionError(
      `The base URL "${shown}" isn't a URL; expected something like https://api.example.com/5.0.`,
    );
  }
}

/**
 * @throws OptionError unless the text is a certificate: Node would ignore it and then trust no
 *   server
 */
function checkAuthority(ca: string): void {
  try {
    new X509Certificate(ca);
  } catch {
    throw new OptionError(
      'The certificate of the private authority (ca) can\'t be read; expected PEM text that starts with "-----BEGIN CERTIFICATE-----".',
    );
  }
}

/** Headers for authentication and for the framing of requests. */
const OWN_HEADERS = new Set([
  ...['authorization', 'host', 'accept', 'connection', 'expect', 'upgrade', 'keep-alive'],
  ...['content-type', 'content-length', 'content-encoding', 'transfer-encoding'],
]);
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const VALUE = /^[\t\x20-\x7e]*$/;

/**
 * Checks headers in advance: an invalid one would leave every document unconfirmed.
 * @throws OptionError without the header's value, which may be a secret
 */
function checkHeaders(headers: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (OWN_HEADERS.has(name.toLowerCase())) {
      throw new OptionError(`headers: ${name.toLowerCase()} is set by docferry; leave it out.`);
    }
    if (NAME.test(name) && typeof value === 'string' && VALUE.test(value)) continue;
    throw new OptionError(
      `headers: ${JSON.stringify(name)} can't be sent; expected an ASCII name without spaces, and an ASCII value on one line.`,
    );
  }
}

/** Returns a text with the credentials hidden. */
export type Mask = (text: string) => string;

/** Shorter keys may occur inside ordinary words, and are hidden only as whole words. */
const MIN_UNIQUE_KEY_LENGTH = 8;

/**
 * Hides the API key, and the pair of user name and key. docferry never puts them into a text, but a
 * server or a proxy may send them back.
 */
export function credentialsMask(username: string, apiKey: string): Mask {
  // As Basic authentication sends them: lone surrogates are replaced.
  const key = apiKey.toWellFormed();
  const pair = `${username.toWellFormed()}:${key}`;
  const isUnique = apiKey.length >= MIN_UNIQUE_KEY_LENGTH;
  const ofKey = [escapeRegExp(apiKey), escapedPattern(key)];
  const secrets = [
    ...(isUnique ? [pair, key] : [pair]).map(base64Pattern),
    escapedPattern(pair),
    ...(isUnique ? ofKey : ofKey.map((form) => `(?<![\\p{L}\\p{N}])${form}(?![\\p{L}\\p{N}])`)),
  ];
  const pattern = new RegExp([...new Set(secrets)].join('|'), 'giu');
  return (text) => text.replace(pattern, '[hidden]');
}

function base64Pattern(text: string): string {
  return `${escapeRegExp(Buffer.from(text).toString('base64').replace(/=+$/, ''))}={0,2}`;
}

const HTML: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' },
};

/** Pattern of a text as it is, and with any of its characters escaped for an address, JSON or HTML. */
function escapedPattern(text: string): string {
  return [...text]
    .map((character) =>
      /^[a-z\d]$/i.test(character)
        ? character
        : `(?:${formsOf(character).map(escapeRegExp).join('|')})`,
    )
    .join('');
}

function formsOf(character: string): readonly string[] {
  const code = character.codePointAt(0) as number;
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return [
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join(''),
    `&#${code};`,
    `&#x${code.toString(16)};`,
    HTML[character] ?? character,
    character === ' ' ? '+' : `\\${character}`,
    // Last, as escaped forms begin with some of these.
    character,
  ];
}
