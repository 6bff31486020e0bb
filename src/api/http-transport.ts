import { Agent, request } from 'undici';
import { type Connection, checkConnection } from './connection.js';
import type { Exchange } from './exchange.js';

/** One call to the service, below its base URL. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Starts with a slash: `/monitorings/1/documents`. */
  readonly path: string;
  /** The JSON body in pieces, sent one after another without being copied. */
  readonly body?: readonly Uint8Array[];
  /** Ends the call at once; what it carried may or may not have arrived. */
  readonly signal?: AbortSignal;
}

/** The one way to the service. */
export interface Transport {
  readonly baseUrl: string;
  send(call: Call): Promise<Exchange>;
  close(): Promise<void>;
}

/** A larger answer is no answer to anything that is asked here. */
const MOST_ANSWER_BYTES = 64 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Opens the way to the service: Basic authentication, certificates checked, no redirects followed,
 * no retries of its own.
 * @param connections most connections at a time
 * @throws OptionError if the connection can't be used
 */
export function openTransport(connection: Connection, connections = 8): Transport {
  const { baseUrl, username, apiKey, timeoutMs } = checkConnection(connection);
  const authorization = `Basic ${Buffer.from(`${username}:${apiKey}`, 'utf8').toString('base64')}`;
  const agent = new Agent({
    connections,
    pipelining: 1,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  return {
    baseUrl,
    send: (call) => exchange(agent, baseUrl, authorization, call),
    close: () => agent.close(),
  };
}

async function exchange(
  agent: Agent,
  baseUrl: string,
  authorization: string,
  call: Call,
): Promise<Exchange> {
  try {
    const response = await request(`${baseUrl}${call.path}`, {
      dispatcher: agent,
      method: call.method,
      headers: { authorization, accept: 'application/json', ...bodyHeaders(call.body) },
      // Any iterable of buffers will do, which undici's types don't say.
      ...(call.body === undefined ? {} : { body: call.body as unknown as Uint8Array }),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
    });
    const json = parseJson(await readBounded(response.body));
    return { kind: 'answer', status: response.statusCode, json };
  } catch (error) {
    return failure(error);
  }
}

function bodyHeaders(body: Call['body']): Record<string, string> {
  if (body === undefined) return {};
  const length = body.reduce((sum, piece) => sum + piece.byteLength, 0);
  return { 'content-type': 'application/json', 'content-length': String(length) };
}

async function readBounded(body: AsyncIterable<Uint8Array>): Promise<Buffer | undefined> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.byteLength;
    if (bytes > MOST_ANSWER_BYTES) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function parseJson(bytes: Buffer | undefined): unknown {
  if (bytes === undefined) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Codes of errors that come before a single byte of the request has been written … */
const BEFORE_SENDING =
  /^(ENOTFOUND|EAI_\w+|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|UNABLE_TO_\w+|SELF_SIGNED_\w+|DEPTH_ZERO_\w+|ERR_TLS_CERT_\w+|HOSTNAME_MISMATCH|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_\w*HANDSHAKE_FAILURE|ERR_SSL_\w*PROTOCOL_VERSION)$/;
/** … and of errors that do so only when connecting failed, not when a connection broke. */
const WHEN_CONNECTING = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/;

function failure(error: unknown): Exchange {
  const { code, syscall } = causeOf(error);
  const message = messageOf(error, code);
  const unsent =
    BEFORE_SENDING.test(code) ||
    (WHEN_CONNECTING.test(code) && (syscall ?? 'connect') === 'connect');
  return { kind: unsent ? 'not-sent' : 'no-answer', message };
}

/** Several addresses refused at once come as one error without a message of its own. */
function messageOf(error: unknown, code: string): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const reason = first instanceof Error && first.message !== '' ? first.message : code;
  return code === '' || reason.includes(code) ? reason : `${reason} (${code})`;
}

/** The code and system call of the error itself, or of what caused it. */
function causeOf(error: unknown): { code: string; syscall: string | undefined } {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (!('code' in at) || typeof at.code !== 'string') continue;
    const syscall = 'syscall' in at && typeof at.syscall === 'string' ? at.syscall : undefined;
    return { code: at.code, syscall };
  }
  return { code: '', syscall: undefined };
}
