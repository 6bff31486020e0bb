import type { Agent, Dispatcher } from 'undici';
import { OptionError, SourceError } from '../model/errors.js';
import { readSmallText } from '../model/small-file.js';
import { shownAddress, shownInput } from '../model/text.js';
import { BrokenInput } from './broken-input.js';
import { countingBytes, PeekableStream } from './pieces.js';
import type { RawInput } from './raw-input.js';

/** Timeouts for connecting, and for the response's start and each pause in it. */
const CONNECT_MS = 20_000;
const RESPONSE_MS = 60_000;

/** Content encodings that are recognised by the bytes themselves and decompressed later. */
const SUPPORTED_ENCODINGS: ReadonlySet<string> = new Set(['', 'identity', 'gzip', 'x-gzip']);

export interface OpenRemoteSettings {
  readonly signal: AbortSignal | undefined;
  readonly headers: RequestHeaders | undefined;
}

/**
 * Fetches a file from an address, once, from start to end.
 * @throws SourceError if it can't be fetched; the signal's reason when it is aborted
 */
export async function openRemote(
  name: string,
  address: URL,
  { signal: outerSignal, headers }: OpenRemoteSettings,
): Promise<RawInput> {
  const { Agent } = await import('undici');
  const agent = new Agent({
    connect: { timeout: CONNECT_MS, rejectUnauthorized: true, minVersion: 'TLSv1.2' },
    headersTimeout: RESPONSE_MS,
    bodyTimeout: RESPONSE_MS,
  });
  const closing = new AbortController();
  const close = (): void => {
    closing.abort(new Error('The input is no longer wanted.'));
    agent.destroy().catch(() => {});
  };
  try {
    const signals = outerSignal === undefined ? [] : [outerSignal];
    const signal = AbortSignal.any([closing.signal, ...signals]);
    const response = await followRedirects(address, { agent, signal, headers }).catch(
      (error: unknown) => {
        signal.throwIfAborted();
        throw error instanceof SourceError ? error : fetchError(name, error);
      },
    );
    assertFile(name, response);
    const stream = new PeekableStream(fetchPieces(response, signal));
    return {
      kind: 'bytes',
      name,
      size: contentLength(response),
      file: null,
      isMember: false,
      decoded: false,
      peek: () => stream.peek(),
      read: (onBytes) => countingBytes(stream.read(), onBytes),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

function contentLength({ headers }: RemoteResponse): number | null {
  const length = Number(headers['content-length'] ?? Number.NaN);
  return Number.isSafeInteger(length) ? length : null;
}

/** @throws SourceError if the response isn't a file */
function assertFile(name: string, { statusCode, headers }: RemoteResponse): void {
  if (statusCode !== 200) {
    throw new SourceError(
      `${name} can't be fetched: the server answers with status ${statusCode}. ${statusRemedy(statusCode)}`,
    );
  }
  const encoding = String(headers['content-encoding'] ?? '').toLowerCase();
  if (SUPPORTED_ENCODINGS.has(encoding)) return;
  throw new SourceError(
    `${name} has a content encoding that isn't supported (${encoding}): download the file.`,
  );
}

function statusRemedy(status: number): string {
  if (status === 401 || status === 403) {
    return 'The link may have expired, or require a login: get a new link, give a token in a file with --input-header-file, or download the file.';
  }
  if (status === 404 || status === 410) return 'Check the link.';
  return 'Try again later, or download the file.';
}

function fetchError(name: string, error: unknown): SourceError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = code ?? message;
  const remedy = /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(reason)
    ? "its certificate is not trusted. If a private authority signed it, set NODE_EXTRA_CA_CERTS to that authority's certificate file."
    : 'check the link and the network.';
  return new SourceError(`${name} can't be fetched (${reason}): ${remedy}`);
}

/** Response that isn't a redirect, its body unread. */
type RemoteResponse = Dispatcher.ResponseData;

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

interface RequestContext {
  readonly agent: Agent;
  readonly signal: AbortSignal;
  /** May hold a token: sent only to the address's own origin. */
  readonly headers: RequestHeaders | undefined;
}

/**
 * Requests an address and follows a few redirects, each checked like the first.
 * @throws SourceError for an invalid redirect; undici's errors if there is no response
 */
async function followRedirects(
  address: URL,
  { agent, signal, headers }: RequestContext,
): Promise<RemoteResponse> {
  const { request } = await import('undici');
  let url = address;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await request(url, {
      dispatcher: agent,
      signal,
      // Files are decompressed by their magic number; the server need not compress any.
      headers: {
        accept: '*/*',
        ...(url.origin === address.origin ? headers : {}),
        'accept-encoding': 'identity',
      },
    });
    if (!REDIRECTS.has(response.statusCode)) return response;
    await response.body.dump();
    url = redirected(url, response);
  }
  throw new SourceError(
    `${shownAddress(address)} redirects more than ${MAX_REDIRECTS} times: check the link.`,
  );
}

function redirected(from: URL, { headers: { location } }: RemoteResponse): URL {
  const target = Array.isArray(location) ? location[0] : location;
  if (target === undefined || !URL.canParse(target, from.href)) {
    throw new SourceError(`${shownAddress(from)} redirects to an invalid address: check the link.`);
  }
  const to = checkAddress(new URL(target, from).href);
  if (from.protocol === 'https:' && to.protocol !== 'https:') {
    throw new SourceError(
      `${shownAddress(from)} redirects to an address without HTTPS, ${shownAddress(to)}, which isn't followed: download the file.`,
    );
  }
  return to;
}

/** @throws BrokenInput if the connection breaks before the end */
async function* fetchPieces(
  { body, headers }: RemoteResponse,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  let received = 0;
  let failure = 'it ends early';
  try {
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      received += piece.length;
      yield piece;
    }
    const length = headers['content-length'];
    if (length === undefined || Number(length) === received) return;
  } catch (error) {
    signal.throwIfAborted();
    const { code, message } = error as NodeJS.ErrnoException;
    failure = code ?? message;
  }
  throw new BrokenInput(
    `the connection broke after ${received} bytes (${failure})`,
    'Run the import again, or download the file first.',
  );
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Parses an address and checks that it may be fetched: `https:` (`http:` only from this machine),
 * without credentials.
 * @throws SourceError
 */
export function checkAddress(input: string): URL {
  const url = parseAddress(input);
  const shown = shownAddress(url);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    const remedy =
      url.protocol === 'file:'
        ? 'give the path of the file'
        : 'download the file, or give an https: link';
    throw new SourceError(`${shown} can't be read, as only https: addresses can: ${remedy}.`);
  }
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    throw new SourceError(
      `${shown} does not use HTTPS, so others on the network could read and change the records: start it with https://, or download the file.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new SourceError(
      `${shown} contains a user name or a password, which lists of processes would show: use a link without them, or download the file.`,
    );
  }
  url.hash = '';
  return url;
}

function parseAddress(input: string): URL {
  try {
    return new URL(input);
  } catch {
    throw new SourceError(
      `${shownInput(input)} isn't a valid address; expected something like https://example.com/reviews.csv.`,
    );
  }
}

/** Keys are lower-case. */
export type RequestHeaders = Readonly<Record<string, string>>;

/** Headers that docferry sets itself, or that request less than the whole file. */
const RESERVED_HEADERS =
  /^(accept-encoding|connection|content-length|expect|host|if-range|range|te|trailer|transfer-encoding|upgrade)$/;

/**
 * Reads request headers from a file with a `Name: value` on each line. Messages name lines and
 * never quote them, as they may hold a token.
 * @throws OptionError
 */
export async function readHeaderFile(file: string): Promise<RequestHeaders> {
  const text = readSmallText(
    file,
    (reason) => new OptionError(`The file of request headers, ${file}, ${reason}.`),
  );
  const headers = new Map<string, string>();
  for (const [index, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    if (line.trim() === '') continue;
    const [, name = '', value] =
      /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\t\x20-\x7e\x80-\xff]+)$/.exec(line) ?? [];
    const key = name.toLowerCase();
    if (value === undefined)
      throw headerError(file, index, 'is not a header; expected "Name: value"');
    if (RESERVED_HEADERS.test(key))
      throw headerError(file, index, `sets ${key}, which docferry sets itself; remove it`);
    if (headers.has(key))
      throw headerError(file, index, 'repeats the name of an earlier line; remove one');
    headers.set(key, value.trim());
  }
  if (headers.size > 0) return Object.fromEntries(headers);
  throw new OptionError(`The file of request headers, ${file}, is empty; expected "Name: value".`);
}

function headerError(file: string, index: number, reason: string): OptionError {
  return new OptionError(`The file of request headers, ${file}, line ${index + 1} ${reason}.`);
}
