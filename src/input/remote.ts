/** Files at `https:` addresses. */
import type { Agent, Dispatcher } from 'undici';
import { OptionError, SourceError } from '../model/errors.js';
import { readSmallText } from '../model/small-file.js';
import { passing, Replay } from './pieces.js';
import { BrokenInput, type RawInput } from './raw-input.js';

/** Longest wait for a connection, for an answer to begin, and between two pieces of it. */
const CONNECT_MS = 20_000;
const ANSWER_MS = 60_000;

/** Compression that the bytes themselves tell, so that it need not be undone for them. */
const KNOWN_ENCODINGS: ReadonlySet<string> = new Set(['', 'identity', 'gzip', 'x-gzip', 'zstd']);

/** What a file is fetched with. */
export interface OpenRemoteSettings {
  readonly signal: AbortSignal | undefined;
  readonly headers: RequestHeaders | undefined;
}

/**
 * A file at an address. It is fetched once, from its start to its end.
 * @throws SourceError if there is no such file to be had; the signal's reason when it is aborted
 */
export async function openRemote(
  name: string,
  address: URL,
  { signal: interruption, headers }: OpenRemoteSettings,
): Promise<RawInput> {
  const { Agent } = await import('undici');
  const agent = new Agent({
    connect: { timeout: CONNECT_MS, rejectUnauthorized: true, minVersion: 'TLSv1.2' },
    headersTimeout: ANSWER_MS,
    bodyTimeout: ANSWER_MS,
  });
  const ending = new AbortController();
  const close = (): void => {
    ending.abort(new Error('The input is not wanted any more.'));
    agent.destroy().catch(() => {});
  };
  try {
    const signals = interruption === undefined ? [] : [interruption];
    const signal = AbortSignal.any([ending.signal, ...signals]);
    const answer = await ask(address, { agent, signal, headers }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error instanceof SourceError ? error : noAnswer(name, error);
    });
    refuseOthers(name, answer);
    const replay = new Replay(fetchPieces(answer, signal));
    return {
      kind: 'bytes',
      name,
      size: lengthOf(answer),
      file: null,
      isMember: false,
      decoded: false,
      peek: () => replay.peek(),
      read: (counted) => passing(replay.read(), counted),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

function lengthOf({ headers }: RemoteResponse): number | null {
  const length = Number(headers['content-length'] ?? Number.NaN);
  return Number.isSafeInteger(length) ? length : null;
}

/** @throws SourceError for an answer that holds no file */
function refuseOthers(name: string, { statusCode, headers }: RemoteResponse): void {
  if (statusCode !== 200) {
    throw new SourceError(
      `${name} can't be fetched: the server answers with status ${statusCode}. ${remedyFor(statusCode)}`,
    );
  }
  const encoding = String(headers['content-encoding'] ?? '').toLowerCase();
  if (KNOWN_ENCODINGS.has(encoding)) return;
  throw new SourceError(
    `${name} comes compressed in a way that can't be decompressed (${encoding}): download the file.`,
  );
}

function remedyFor(status: number): string {
  if (status === 401 || status === 403) {
    return 'The link may have run out, or needs a user: get a new link, give a token in a file with --input-header-file, or download the file.';
  }
  if (status === 404 || status === 410) return 'Check the link.';
  return 'Try again later, or download the file.';
}

function noAnswer(name: string, error: unknown): SourceError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = code ?? message;
  const remedy = /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(reason)
    ? 'its certificate is not trusted. If a private authority signed it, name a file of that in NODE_EXTRA_CA_CERTS.'
    : 'check the link and the network.';
  return new SourceError(`${name} can't be fetched (${reason}): ${remedy}`);
}

/** An answer that is no redirect; its body has not been read. */
type RemoteResponse = Dispatcher.ResponseData;

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** What a request is made with. */
interface Asking {
  readonly agent: Agent;
  readonly signal: AbortSignal;
  /** They may hold a token for the address; no other origin gets them. */
  readonly headers: RequestHeaders | undefined;
}

/**
 * Fetches an address, through a few redirects, each of which may be fetched as the first may.
 * @throws SourceError for a redirect that leads nowhere; what undici throws if there is no answer
 */
async function ask(address: URL, { agent, signal, headers }: Asking): Promise<RemoteResponse> {
  const { request } = await import('undici');
  let url = address;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const answer = await request(url, {
      dispatcher: agent,
      signal,
      // What is compressed is decompressed here, whoever compressed it.
      headers: {
        accept: '*/*',
        ...(url.origin === address.origin ? headers : {}),
        'accept-encoding': 'identity',
      },
    });
    if (!REDIRECTS.has(answer.statusCode)) return answer;
    await answer.body.dump();
    url = redirected(url, answer);
  }
  throw new SourceError(
    `${shownAddress(address)} leads from one address to the next more than ${MAX_REDIRECTS} times: check the link.`,
  );
}

function redirected(from: URL, { headers: { location } }: RemoteResponse): URL {
  const target = Array.isArray(location) ? location[0] : location;
  if (target === undefined || !URL.canParse(target, from.href)) {
    throw new SourceError(`${shownAddress(from)} leads to no address: check the link.`);
  }
  const to = checkAddress(new URL(target, from).href);
  if (from.protocol === 'https:' && to.protocol !== 'https:') {
    throw new SourceError(
      `${shownAddress(from)} leads to an address without HTTPS, ${shownAddress(to)}, which is not followed: download the file.`,
    );
  }
  return to;
}

/**
 * The pieces of a file.
 * @throws BrokenInput if it can't be fetched to its end
 */
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

/** Whether an input is an address on the network, and no path. */
export function isAddress(input: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(input);
}

/**
 * An address that may be fetched: HTTPS, but for this machine itself, and without credentials.
 * @throws SourceError
 */
export function checkAddress(input: string): URL {
  const url = parse(input);
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
      `${shown} does not use HTTPS, so that anybody on the way could read and change the records: start it with https://, or download the file.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new SourceError(
      `${shown} is given with a user name or a password, which would be shown in lists of processes: use a link that needs none, or download the file.`,
    );
  }
  url.hash = '';
  return url;
}

/** Without its query, which often holds a signature, and without credentials. */
export function shownAddress({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}

/** An input as it may be written down. */
export function shownInput(input: string): string {
  return isAddress(input) && URL.canParse(input) ? shownAddress(new URL(input)) : input;
}

function parse(input: string): URL {
  try {
    return new URL(input);
  } catch {
    const shown = input.replace(/[?#].*$/s, '').replace(/\/\/.*@/s, '//…@');
    throw new SourceError(
      `${shown} is no address; expected something like https://example.com/reviews.csv.`,
    );
  }
}

/** Headers of a request, by their names in small letters. */
export type RequestHeaders = Readonly<Record<string, string>>;

/** Headers that every request sets, or that ask for less than the file. */
const OWN =
  /^(accept-encoding|connection|content-length|expect|host|if-range|range|te|trailer|transfer-encoding|upgrade)$/;

/**
 * Reads headers for requests, a `Name: value` on each line. They may hold a token: messages name
 * lines, and never show them.
 * @throws OptionError
 */
export async function readHeaderFile(file: string): Promise<RequestHeaders> {
  const text = await readSmallText(
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
    if (value === undefined) throw unusable(file, index, 'is not a header; expected "Name: value"');
    if (OWN.test(key))
      throw unusable(file, index, `sets ${key}, which docferry sets itself; remove it`);
    if (headers.has(key))
      throw unusable(file, index, 'repeats the name of an earlier line; remove one');
    headers.set(key, value.trim());
  }
  if (headers.size > 0) return Object.fromEntries(headers);
  throw new OptionError(`The file of request headers, ${file}, is empty; expected "Name: value".`);
}

function unusable(file: string, index: number, reason: string): OptionError {
  return new OptionError(`The file of request headers, ${file}, line ${index + 1} ${reason}.`);
}
