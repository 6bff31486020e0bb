import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { OptionError } from '../model/errors.js';
import { MAX_TITLE_CHARACTERS } from '../service/codes.js';
import { errorObject } from './answers.js';
import { type App, createApp } from './app.js';
import { type CapturedDocument, checkCaptured } from './input/captured-documents.js';
import type { SandboxOptions } from './option-table.js';
import { resolveOptions } from './options.js';
import { addDocuments } from './store/add-documents.js';
import type { Store } from './store/database.js';
import { ensureMonitoring, unknownMonitorings } from './store/monitorings.js';
import { openStore } from './store/open-store.js';
import { prepareDocuments } from './store/prepare-documents.js';

/** A running sandbox. */
export interface Sandbox extends AsyncDisposable {
  /** Base URL of version 5.0: `http://127.0.0.1:PORT/5.0`. */
  baseUrl: string;
  /** Base URL of version 4.0. */
  legacyBaseUrl: string;
  username: string;
  apiKey: string;
  /**
   * Closes open connections and the database immediately; so does the end of an `await using`. Can be
   * called repeatedly.
   */
  close(): Promise<void>;
  /**
   * Creates the monitoring with this id unless it exists. `title` has 1 to 255 characters. Rejects
   * with {@link OptionError} for an invalid id or title.
   */
  ensureMonitoring(id: number, title?: string): Promise<void>;
  /**
   * Adds documents to a monitoring as if the service had captured them from their networks.
   * Repeated ones are stored, too. Rejects with {@link OptionError} for an invalid document or id.
   */
  capture(monitoring: number, documents: readonly CapturedDocument[]): Promise<void>;
}

/**
 * Starts a sandbox on 127.0.0.1.
 * @throws OptionError for invalid options, a port in use, a folder that can't be written to, and if SQLite
 *   isn't installed
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = resolveOptions(options);
  const store = openStore(settings.data);
  const server = createHttpServer(createApp({ store, settings }));
  try {
    await listen(server, settings.port);
  } catch (error) {
    store.close();
    throw error;
  }
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl: `${origin}/5.0`,
    legacyBaseUrl: `${origin}/4.0`,
    username: settings.username,
    apiKey: settings.apiKey,
    close: () => shutDown(server, store),
    [Symbol.asyncDispose]: () => shutDown(server, store),
    ensureMonitoring: async (id, title) => ensure(store, id, title),
    capture: async (monitoring, documents) => capture(store, monitoring, documents),
  };
}

async function listen(server: Server, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
  } catch (error) {
    throw new OptionError(
      `The sandbox can't listen on port ${port} (${(error as NodeJS.ErrnoException).code}); ` +
        'choose another, or 0 for any free port.',
    );
  }
}

async function shutDown(server: Server, store: Store): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
  store.close();
}

function ensure(store: Store, id: number, title = `Monitoring ${id}`): void {
  if (!Number.isSafeInteger(id) || id < 1) {
    throw new OptionError(`A monitoring's id is a positive whole number, not ${id}.`);
  }
  if (title === '' || [...title].length > MAX_TITLE_CHARACTERS) {
    throw new OptionError(`A monitoring's title has 1 to ${MAX_TITLE_CHARACTERS} characters.`);
  }
  ensureMonitoring(store, id, title);
}

function capture(store: Store, monitoring: number, documents: readonly CapturedDocument[]): void {
  const checked = checkCaptured(documents);
  if (unknownMonitorings(store, [monitoring]).length > 0) {
    throw new OptionError(`There is no monitoring ${monitoring}: create it with ensureMonitoring.`);
  }
  addDocuments(store, prepareDocuments(monitoring, checked));
}

function createHttpServer(app: App): Server {
  const listener = getRequestListener(app.fetch, {
    // Embedded in another program: leave the global Request and Response alone.
    overrideGlobalObjects: false,
    errorHandler: () => new Response(BAD_REQUEST_BODY, { status: 400, headers: JSON_TYPE }),
  });
  const server = createServer(listener);
  // A 413, for example, is sent while the body is still arriving: there is no second answer.
  const answered = new WeakSet<Duplex>();
  server.on('request', (request, response) => {
    answered.delete(request.socket);
    response.on('finish', () => {
      if (!request.complete) answered.add(request.socket);
    });
  });
  server.on('clientError', (error, socket) => {
    if (answered.has(socket)) socket.destroy();
    else answerMalformed(error, socket);
  });
  return server;
}

/** Answers a request that Node can't parse as HTTP; it never reaches hono. */
function answerMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) return void socket.destroy();
  const isLong = error.code === 'HPE_HEADER_OVERFLOW';
  const status = isLong ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const body = JSON.stringify(errorObject([`The request can't be read: ${status.slice(4)}.`]));
  const head = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\n`;
  socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

const BAD_REQUEST_BODY = JSON.stringify(
  errorObject(["The request's address or host can't be read."]),
);
