import pLimit from 'p-limit';
import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { messageOf, OptionError } from '../../model/errors.js';
import { MAX_TIMER_MS } from '../../model/flush-timer.js';
import { VERSION } from '../../model/version.js';
import {
  type CheckedConnection,
  type Connection,
  checkConnection,
  credentialsMask,
  isThisMachine,
  type Mask,
} from './connection.js';
import { type Exchange, failedExchange, readAnswer, TimeoutError } from './exchange.js';

/** A call to the service. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the base URL, with a slash at its start: `/monitorings/1/documents`. */
  readonly path: string;
  readonly query?: URLSearchParams | undefined;
  readonly body?: Body | undefined;
  /** Whether the call changes something. */
  readonly changes?: boolean;
  /** Ends the call at once; its body may have arrived. */
  readonly signal?: AbortSignal | undefined;
  /** Default: 64 MiB. */
  readonly maxAnswerBytes?: number | undefined;
}

export interface Transport {
  readonly baseUrl: string;
  /** Version of the API that the calls are of; default 5.0. */
  readonly version?: '4.0' | '5.0';
  /**
   * Never rejects. Ends within the connection's timeout, counted from when the call gets a
   * connection. The result contains no credentials.
   */
  send(call: Call): Promise<Exchange>;
  close(): Promise<void>;
}

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

const CLOSED: Exchange = { kind: 'not-sent', message: 'the client was closed' };
const ABORTED: Exchange = { kind: 'not-sent', message: 'the call was aborted' };

/**
 * Opens a transport: Basic authentication, verified certificates, no redirects, no retries.
 * @param connections maximum number of connections
 * @throws OptionError if the connection is invalid
 */
export function openTransport(connection: Connection, connections = 8): Transport {
  const checked = checkConnection(connection);
  const { baseUrl, username, apiKey, timeoutMs } = checked;
  const proxy = checked.dispatcher === undefined ? proxyVariable(checked) : undefined;
  const dispatcher = checked.dispatcher ?? openDispatcher(checked, connections, proxy);
  const headers = {
    'user-agent': `docferry/${VERSION}`,
    ...checked.headers,
    authorization: `Basic ${Buffer.from(`${username}:${apiKey}`, 'utf8').toString('base64')}`,
    accept: 'application/json',
  };
  const mask = credentialsMask(username, apiKey);
  const defaults = { dispatcher, headers, mask, timeoutMs, proxy };
  // So that waiting for a connection doesn't count towards the timeout.
  const limit = pLimit(connections);
  const inFlight = new Set<Promise<Exchange>>();
  let closed: Promise<void> | undefined;
  return {
    baseUrl,
    send: (call) => {
      if (closed !== undefined) return Promise.resolve(CLOSED);
      const sent = limit(() => exchange(defaults, { ...call, path: baseUrl + call.path }));
      inFlight.add(sent);
      return sent.finally(() => inFlight.delete(sent));
    },
    close: () => {
      // A dispatcher from outside may have other users.
      const own = dispatcher === checked.dispatcher ? undefined : dispatcher;
      closed ??= Promise.all(inFlight).then(() => own?.destroy());
      return closed;
    },
  };
}

interface RequestDefaults {
  readonly dispatcher: Dispatcher;
  readonly headers: Readonly<Record<string, string>>;
  readonly mask: Mask;
  readonly timeoutMs: number;
  /** Variable that names the proxy in use. */
  readonly proxy: string | undefined;
}

async function exchange(
  { dispatcher, headers, mask, timeoutMs, proxy }: RequestDefaults,
  { method, path, query, body, signal, maxAnswerBytes = MAX_ANSWER_BYTES }: Call,
): Promise<Exchange> {
  if (signal?.aborted) return ABORTED;
  const pieces = new SentPieces(body?.pieces ?? []);
  try {
    return await withDeadline(timeoutMs, signal, async (deadline) => {
      const response = await request(query === undefined ? path : `${path}?${query}`, {
        dispatcher,
        method,
        headers: { ...headers, ...bodyHeaders(body) },
        // undici takes any iterable of buffers, unlike its types.
        ...(body === undefined ? {} : { body: pieces as unknown as Uint8Array }),
        signal: deadline,
      });
      const early = body !== undefined && !pieces.allSent;
      const answer = await readAnswer(response, mask, maxAnswerBytes);
      return early ? { ...answer, early } : answer;
    });
  } catch (error) {
    const failed = failedExchange(error, mask, body !== undefined && !pieces.begun);
    if (failed.kind !== 'not-sent' || proxy === undefined) return failed;
    return { ...failed, message: `${failed.message}; ${proxy} is set: is the proxy reachable?` };
  }
}

/**
 * Runs work under a deadline: rejects at the timeout, or when the caller aborts, without waiting
 * for the work to react to its signal.
 * @param timeoutMs counted from now
 */
async function withDeadline<T>(
  timeoutMs: number,
  caller: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const { signal } = ending;
  const timeOut = () =>
    ending.abort(new TimeoutError(`no complete answer within ${timeoutMs / 1000} s`));
  const abort = () => ending.abort(new Error('the call was aborted'));
  const timer = setTimeout(timeOut, Math.min(timeoutMs, MAX_TIMER_MS));
  caller?.addEventListener('abort', abort);
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  try {
    return await Promise.race([work(signal), ended]);
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener('abort', abort);
  }
}

/**
 * Pieces of a body, which records how far undici has read them: it takes a piece once the one
 * before was written.
 */
class SentPieces implements Iterable<Uint8Array> {
  readonly #pieces: Iterable<Uint8Array>;
  /** The first piece may have been sent. */
  begun = false;
  /** All pieces were sent. */
  allSent = false;

  constructor(pieces: Iterable<Uint8Array>) {
    this.#pieces = pieces;
  }

  *[Symbol.iterator](): Generator<Uint8Array, void, undefined> {
    this.begun = true;
    yield* this.#pieces;
    this.allSent = true;
  }
}

function bodyHeaders(body: Body | undefined): Record<string, string> {
  if (body === undefined) return {};
  const length = body.pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  return { 'content-type': body.type, 'content-length': String(length) };
}

export interface Body {
  readonly type: 'application/json' | 'application/x-www-form-urlencoded';
  /** Sent one after another without copying. */
  readonly pieces: readonly Uint8Array[];
}

export function jsonBody(value: unknown): Body {
  return { type: 'application/json', pieces: [Buffer.from(JSON.stringify(value))] };
}

/** Encodes parameters as form fields: a comma as `%2C`, a space as `+`. */
export function formBody(parameters: URLSearchParams): Body {
  return {
    type: 'application/x-www-form-urlencoded',
    pieces: [Buffer.from(parameters.toString())],
  };
}

const CONNECT_TIMEOUT_MS = 10_000;
const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** Finds the variable that names a proxy; a service on this machine is called directly. */
function proxyVariable({ baseUrl }: CheckedConnection): string | undefined {
  if (isThisMachine(new URL(baseUrl))) return undefined;
  return PROXY_VARIABLES.find((name) => process.env[name]);
}

/**
 * Opens connections, through the proxy that the environment names, if any.
 * @param proxy variable that names it
 * @throws OptionError if that isn't a valid address
 */
function openDispatcher(
  { timeoutMs, ca }: CheckedConnection,
  connections: number,
  proxy: string | undefined,
): Dispatcher {
  const tls = {
    timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
    // Explicit, so that neither NODE_TLS_REJECT_UNAUTHORIZED nor a flag weakens it.
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2' as const,
  };
  const connect = ca === undefined ? tls : { ...tls, ca };
  // These restart with every chunk received, unlike the deadline of a call.
  const timeouts = { headersTimeout: 0, bodyTimeout: 0 };
  const settings = { connections, pipelining: 1, ...timeouts, connect };
  if (proxy === undefined) return new Agent(settings);
  try {
    return new EnvHttpProxyAgent({ ...settings, requestTls: connect, proxyTls: tls });
  } catch (error) {
    throw new OptionError(
      `${proxy} isn't the address of a proxy (${messageOf(error)}); expected something like http://HOST:PORT.`,
    );
  }
}
