import { Agent, request } from 'undici';
import type { Body } from './body.js';
import { type CheckedConnection, type Connection, checkConnection } from './connection.js';
import { credentialsMask, type Mask } from './credentials-mask.js';
import type { Exchange } from './exchange.js';
import { failedExchange } from './failed-exchange.js';
import { readAnswer } from './read-answer.js';

/** One call to the service, below its base URL. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Starts with a slash: `/monitorings/1/documents`. */
  readonly path: string;
  /** Goes behind the path. */
  readonly query?: URLSearchParams | undefined;
  readonly body?: Body | undefined;
  /** Ends the call at once; what it carried may or may not have arrived. */
  readonly signal?: AbortSignal | undefined;
}

/** The one way to the service. */
export interface Transport {
  readonly baseUrl: string;
  /** Never rejects. No text of what it gives holds the credentials. */
  send(call: Call): Promise<Exchange>;
  /** Waits for calls under way. */
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** A large answer may take this many times as long as its first byte; one without an end may not. */
const BODY_TIMEOUTS = 5;

/**
 * Opens the way to the service: Basic authentication, certificates checked, no redirects followed,
 * no retries of its own.
 * @param connections most connections at a time
 * @throws OptionError if the connection can't be used
 */
export function openTransport(connection: Connection, connections = 8): Transport {
  const checked = checkConnection(connection);
  const { baseUrl, username, apiKey, timeoutMs } = checked;
  const agent = openAgent(checked, connections);
  const authorization = `Basic ${Buffer.from(`${username}:${apiKey}`, 'utf8').toString('base64')}`;
  const mask = credentialsMask(username, apiKey);
  let closed: Promise<void> | undefined;
  return {
    baseUrl,
    send: async (call) =>
      closed === undefined
        ? exchange(
            { agent, authorization, mask, timeoutMs },
            { ...call, path: baseUrl + call.path },
          )
        : { kind: 'not-sent', message: 'the client was closed' },
    close: () => {
      closed ??= agent.close();
      return closed;
    },
  };
}

function openAgent({ timeoutMs, ca }: CheckedConnection, connections: number): Agent {
  return new Agent({
    connections,
    pipelining: 1,
    connect: {
      timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
      // Said outright, so that neither NODE_TLS_REJECT_UNAUTHORIZED nor a flag weakens it.
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...(ca === undefined ? {} : { ca }),
    },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
}

/** What all calls of a transport share. */
interface Way {
  readonly agent: Agent;
  readonly authorization: string;
  readonly mask: Mask;
  readonly timeoutMs: number;
}

async function exchange(
  { agent, authorization, mask, timeoutMs }: Way,
  { method, path, query, body, signal }: Call,
): Promise<Exchange> {
  const pieces = new SentPieces(body?.pieces ?? []);
  try {
    const response = await request(query === undefined ? path : `${path}?${query}`, {
      dispatcher: agent,
      method,
      headers: { authorization, accept: 'application/json', ...bodyHeaders(body) },
      // Any iterable of buffers will do, which undici's types don't say.
      ...(body === undefined ? {} : { body: pieces as unknown as Uint8Array }),
      ...(signal === undefined ? {} : { signal }),
    });
    const early = body !== undefined && !pieces.allSent;
    const answer = await readAnswer(response, mask, BODY_TIMEOUTS * timeoutMs);
    return early ? { ...answer, early } : answer;
  } catch (error) {
    return failedExchange(error, mask);
  }
}

/** The pieces of a body, of which undici takes the next once the one before has gone. */
class SentPieces implements Iterable<Uint8Array> {
  readonly #pieces: Iterable<Uint8Array>;
  /** The last one has gone, too. */
  allSent = false;

  constructor(pieces: Iterable<Uint8Array>) {
    this.#pieces = pieces;
  }

  *[Symbol.iterator](): Generator<Uint8Array, void, undefined> {
    yield* this.#pieces;
    this.allSent = true;
  }
}

function bodyHeaders(body: Body | undefined): Record<string, string> {
  if (body === undefined) return {};
  const length = body.pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  return { 'content-type': body.type, 'content-length': String(length) };
}
