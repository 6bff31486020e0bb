import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/** A real server on loopback, for behaviour that the sandbox doesn't show. */
export interface TestServer {
  readonly baseUrl: string;
  readonly requests: { readonly method: string; readonly url: string; readonly body: string }[];
  close(): Promise<void>;
  /** Refuses connections for so many milliseconds; those that are there end with their answer. */
  pause(ms: number): Promise<void>;
}

export type Answer = (
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
) => void | Promise<void>;

/** Starts such a server for the running test. */
export async function startServer(answer: Answer): Promise<TestServer> {
  const server = await openServer(answer);
  onTestFinished(() => server.close());
  return server;
}

/** Starts a server that answers as it is told and remembers what it was asked. */
export async function openServer(answer: Answer): Promise<TestServer> {
  const requests: TestServer['requests'] = [];
  const sockets = new Set<Socket>();
  const server = createServer(async (request, response) => {
    const body = (await buffer(request).catch(() => undefined))?.toString();
    // The client is gone before it had asked anything.
    if (body === undefined) return;
    requests.push({ method: request.method ?? '', url: request.url ?? '', body });
    await answer(request, response, body);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/5.0`,
    requests,
    pause: async (ms) => {
      server.close();
      server.closeIdleConnections();
      await wait(ms);
      server.listen(port, '127.0.0.1');
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Answers with JSON. */
export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
