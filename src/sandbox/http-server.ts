import { createServer, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { errorObject } from './answers.js';
import type { App } from './app.js';
import type { SandboxSettings } from './options.js';

/** The server under the sandbox's application: its limits, and its answers to what is no request. */
export function createHttpServer(app: App, { requestTimeoutMs }: SandboxSettings): Server {
  const listener = getRequestListener(app.fetch, {
    // The sandbox is a guest in its process: the global Request and Response are not its own.
    overrideGlobalObjects: false,
    errorHandler: () => new Response(badRequest, { status: 400, headers: JSON_TYPE }),
  });
  const server = createServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: Math.min(requestTimeoutMs, 10_000),
      connectionsCheckingInterval: Math.min(requestTimeoutMs, 5_000),
    },
    listener,
  );
  server.setTimeout(2 * requestTimeoutMs, (socket) => {
    // Whoever leaves an answer unread for so long has gone; whoever waits for one has not.
    if (socket.writableLength > 0) socket.destroy();
  });
  answerUnreadable(server);
  return server;
}

/** What can't even be read as HTTP: the answer has to be written by hand. */
function answerUnreadable(server: Server): void {
  const answered = new WeakSet<Duplex>();
  server.on('request', (request, response) => {
    answered.delete(request.socket);
    response.on('finish', () => {
      if (!request.complete) answered.add(request.socket);
    });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // A request that is cut off behind its answer, as one that is too large, gets no second one.
    if (!socket.writable || answered.has(socket)) return void socket.destroy();
    const status = UNREADABLE[error.code ?? ''] ?? '400 Bad Request';
    const head = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\n`;
    const body = JSON.stringify(errorObject([`The request can't be read: ${status.slice(4)}.`]));
    socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  });
}

const UNREADABLE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

const badRequest = JSON.stringify(errorObject(["The request's address or host can't be read."]));
