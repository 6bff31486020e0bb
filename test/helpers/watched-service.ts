import type { IncomingMessage } from 'node:http';
import { request } from 'undici';
import type { Sandbox } from '../../src/sandbox/index.js';
import { deferred } from './deferred.js';
import { startServer } from './http-server.js';

/** A request on its way to a sandbox. */
export interface WatchedCall {
  readonly method: string;
  /** Below the service's origin: `/5.0/monitorings/1/documents`. */
  readonly path: string;
  /** For an import its number, from 1; 0 for any other call. */
  readonly number: number;
  /** The sourceIds that an import carries. */
  readonly ids: readonly string[];
  readonly body: string;
  /** When it arrived, in milliseconds of this process. */
  readonly at: number;
}

/** What the client is told. */
export interface Told {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Decides about one request. `pass` hands it to the sandbox, if need be with another body, and gives
 * its answer; what is returned is what the client is told, `undefined` leaves it without an answer,
 * `reset` resets its connection.
 */
export type Meddle = (
  call: WatchedCall,
  pass: (body?: string) => Promise<Told>,
) => Promise<Told | 'reset' | undefined>;

/** A way to a sandbox on which everything is seen, and can be meddled with. */
export interface WatchedService {
  readonly baseUrl: string;
  /** All imports that arrived, in order. */
  readonly imports: readonly WatchedCall[];
  /** All requests for documents that the service has. */
  readonly readings: readonly WatchedCall[];
  /** Resolves when the sandbox has dealt with all that arrived, also for clients that are gone. */
  idle(): Promise<void>;
  /** Refuses connections for so many milliseconds. */
  pause(ms: number): Promise<void>;
}

/** Puts a server in front of a sandbox until the test ends. */
export async function watchService(
  sandbox: Sandbox,
  meddle: Meddle = (_, pass) => pass(),
): Promise<WatchedService> {
  const { origin } = new URL(sandbox.baseUrl);
  const imports: WatchedCall[] = [];
  const readings: WatchedCall[] = [];
  const underWay = new Set<Promise<unknown>>();
  const server = await startServer(async (request, response, body) => {
    const call = callOf(request, body, imports.length + 1);
    if (call.number > 0) imports.push(call);
    else if (READING.test(call.path)) readings.push(call);
    const told = await meddle(call, (other = body) => tracked(pass(origin, request, other)));
    if (told === undefined) return;
    if (told === 'reset') return void request.socket.resetAndDestroy();
    const headers = { 'content-type': 'application/json', ...told.headers };
    response.writeHead(told.status, headers).end(told.body);
  });
  return {
    baseUrl: server.baseUrl,
    imports,
    readings,
    pause: server.pause,
    idle: async () => {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };

  function tracked<T>(passing: Promise<T>): Promise<T> {
    underWay.add(passing);
    return passing.finally(() => underWay.delete(passing));
  }
}

/** A service that answers no import from a certain one on until they are let go. */
interface HoldingService extends WatchedService {
  /** Resolves when `count` of them have arrived. */
  readonly held: Promise<void>;
  readonly letGo: () => void;
}

/** Puts a server in front of a sandbox that holds imports from number `from` on. */
export async function holdImports(
  sandbox: Sandbox,
  from: number,
  count = 1,
): Promise<HoldingService> {
  const [held, released] = [deferred(), deferred()];
  const service = await watchService(sandbox, async ({ number }, pass) => {
    if (number >= from + count - 1) held.resolve();
    if (number >= from) await released.promise;
    return pass();
  });
  return { ...service, held: held.promise, letGo: released.resolve };
}

/** What a service says that refuses. */
export function refusal(status: number, message: string): Told {
  return { status, body: JSON.stringify({ errors: [{ message }] }) };
}

const READING = /^\/5\.0\/documents$/;
const IMPORT = /^\/5\.0\/monitorings\/\d+\/documents$/;

function callOf(
  { method = '', url = '' }: IncomingMessage,
  body: string,
  next: number,
): WatchedCall {
  const at = performance.now();
  const isImport = method === 'POST' && IMPORT.test(url);
  if (!isImport) return { method, path: url, number: 0, ids: [], body, at };
  const { documents } = JSON.parse(body) as { documents: { sourceId: string }[] };
  const ids = documents.map(({ sourceId }) => sourceId);
  return { method, path: url, number: next, ids, body, at };
}

async function pass(
  origin: string,
  { method = 'GET', url = '', headers }: IncomingMessage,
  body: string,
): Promise<Told> {
  const { authorization = '', 'content-type': type = 'application/json' } = headers;
  // Node's own fetch takes several times the processor time.
  const answer = await request(origin + url, {
    method,
    headers: { authorization, 'content-type': type },
    ...(body === '' ? {} : { body }),
  });
  return { status: answer.statusCode, body: await answer.body.text() };
}
