import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { OptionError } from '../errors.js';
import { errorObject } from './answers.js';
import { createApp } from './app.js';
import { type SandboxOptions, type SandboxSettings, settle } from './options.js';
import { ensureMonitoring } from './store/monitorings.js';
import { openStore, type Store } from './store/open-store.js';

/** A running sandbox. */
export interface Sandbox {
  /** Base address of version 5.0: `http://127.0.0.1:PORT/5.0`. */
  baseUrl: string;
  /** Base address of version 4.0, whose routes all answer 404 for now. */
  legacyBaseUrl: string;
  username: string;
  apiKey: string;
  /** Ends open connections and the database at once; a second call changes nothing. */
  close(): Promise<void>;
  /**
   * Makes the monitoring with this id unless it is there. `title` has 1 to 255 characters.
   * Throws {@link OptionError} for an id or a title that can't be used.
   */
  ensureMonitoring(id: number, title?: string): void;
}

/** Starts a sandbox on 127.0.0.1. Throws {@link OptionError} for options that can't be used. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = settle(options);
  const store = openStore(settings.data);
  const server = createHttpServer(store, settings);
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
    close: () => close(server, store),
    ensureMonitoring: (id, title) => ensure(store, id, title),
  };
}

function createHttpServer(store: Store, settings: SandboxSettings): Server {
  const listener = getRequestListener(createApp(store, settings).fetch, {
    // The sandbox is a guest in its process: the global Request and Response are not its own.
    overrideGlobalObjects: false,
    errorHandler: () => new Response(badRequest, { status: 400, headers: JSON_TYPE }),
  });
  const server = createServer(listener);
  // What can't even be read as HTTP: the answer has to be written by hand.
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable) return void socket.destroy();
    const status =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? '431 Request Header Fields Too Large'
        : '400 Bad Request';
    const head = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\n`;
    const body = JSON.stringify(errorObject([`The request can't be read: ${status.slice(4)}.`]));
    socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  });
  return server;
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

const badRequest = JSON.stringify(errorObject(["The request's address or host can't be read."]));

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

async function close(server: Server, store: Store): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
  store.close();
}

function ensure(store: Store, id: number, title = `Monitoring ${id}`): void {
  if (!Number.isSafeInteger(id) || id < 1) {
    throw new OptionError(`A monitoring's id is a positive whole number, not ${id}.`);
  }
  if (title === '' || [...title].length > 255) {
    throw new OptionError("A monitoring's title has 1 to 255 characters.");
  }
  ensureMonitoring(store, id, title);
}
