import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { longTest } from '../helpers/runs.js';
import { basic, startWithMonitoring, type TestSandbox } from '../helpers/start-sandbox.js';
import { ALWAYS, review } from './documents.js';

/** Small, so that slow requests end while the test looks on. */
const REQUEST_TIMEOUT_MS = 1000;
const MANY = 200;

/** A client of few manners. */
interface RawClient {
  readonly socket: Socket;
  /** What the sandbox has answered so far. */
  received(): string;
  /** Whether the sandbox, or this client, has ended the connection. */
  hasEnded(): boolean;
  /** Sends the pieces one after the other, and then the last one again and again if it is to. */
  drip(pieces: Iterable<string>, then: 'stop' | 'go on'): void;
}

async function connectTo({ baseUrl }: TestSandbox): Promise<RawClient> {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  let received = '';
  let ended = false;
  socket.setEncoding('utf8').on('data', (text) => {
    received += text;
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    ended = true;
  });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return {
    socket,
    received: () => received,
    hasEnded: () => ended,
    drip: (pieces, then) => {
      const [...ahead] = pieces;
      const timer = setInterval(() => {
        const piece = then === 'go on' && ahead.length === 1 ? ahead[0] : ahead.shift();
        if (piece !== undefined) socket.write(piece);
      }, 20);
      socket.on('close', () => clearInterval(timer));
    },
  };
}

function connectMany(sandbox: TestSandbox): Promise<RawClient[]> {
  return Promise.all(Array.from({ length: MANY }, () => connectTo(sandbox)));
}

/** Head of a call with the credentials. */
function head({ username, apiKey }: TestSandbox, path: string, ...headers: string[]): string {
  const lines = [
    `POST /5.0${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: ${basic(username, apiKey)}`,
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

const JSON_TYPE = 'Content-Type: application/json';
const FORM_TYPE = 'Content-Type: application/x-www-form-urlencoded';

async function startFilled(options = {}): Promise<TestSandbox> {
  const sandbox = await startWithMonitoring({ requestTimeoutMs: REQUEST_TIMEOUT_MS, ...options });
  return sandbox;
}

/** Others ask and import as ever. */
async function expectService(sandbox: TestSandbox, times = 20): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const json = { documents: [review(`r-${time}`)] };
    const stored = await sandbox.call('POST', '/monitorings/1/documents', { json });
    expect(stored.body).toEqual({ accepted: true, documents: 1 });
    const form = { monitorings: '1', ...ALWAYS };
    const found = await sandbox.call('POST', '/documents', { form });
    expect([found.status, found.body.documents[0].sourceId]).toEqual([200, `r-${time}`]);
  }
}

async function expectEnded(clients: readonly RawClient[]): Promise<void> {
  const open = (): RawClient[] => clients.filter(({ hasEnded }) => !hasEnded());
  await vi.waitFor(() => expect(open().length).toBe(0), EVENTUALLY);
}

/** What a client was answered: its status line and the messages of the error object. */
function answerOf(client: RawClient): { status: string; messages: string[] } {
  const [top = '', body = '{}'] = client.received().split('\r\n\r\n');
  const { errors } = JSON.parse(body);
  return {
    status: top.split('\r\n')[0]!,
    messages: errors.map(({ message }: { message: string }) => message),
  };
}

const TOO_LATE = {
  status: 'HTTP/1.1 408 Request Timeout',
  messages: ["The request can't be read: Request Timeout."],
};

const EVENTUALLY = { timeout: 20_000, interval: 20 };

longTest('headers that come byte by byte keep nobody waiting, and end with 408', async () => {
  const sandbox = await startFilled();
  const slow = await connectMany(sandbox);
  for (const { drip } of slow)
    drip(head(sandbox, '/monitorings', 'X-Long: '.padEnd(5000, 'x')), 'stop');
  await expectService(sandbox);
  await expectEnded(slow);
  expect(slow.map(answerOf)).toEqual(slow.map(() => TOO_LATE));
});

longTest('bodies that come byte by byte keep nobody waiting, and end with 408', async () => {
  const sandbox = await startFilled();
  const slow = await connectMany(sandbox);
  for (const { socket, drip } of slow) {
    socket.write(head(sandbox, '/monitorings/1/documents', JSON_TYPE, 'Content-Length: 1000'));
    drip('{"documents":[ ', 'go on');
  }
  await expectService(sandbox);
  await expectEnded(slow);
  expect(slow.map(answerOf)).toEqual(slow.map(() => TOO_LATE));
});

test('a body that is too large, or has no end, answers 413, and the connection ends', async () => {
  const sandbox = await startFilled({ maxBodyBytes: 1000, requestTimeoutMs: 300 });
  const clients = await connectMany(sandbox);
  for (const [index, { socket, drip }] of clients.entries()) {
    const size = index % 2 === 0 ? 'Content-Length: 100000000' : 'Transfer-Encoding: chunked';
    socket.write(head(sandbox, '/monitorings/1/documents', JSON_TYPE, size));
    drip([CHUNK.repeat(8), CHUNK], 'go on');
  }
  await expectService(sandbox);
  await expectEnded(clients);
  for (const client of clients) {
    expect(answerOf(client)).toEqual({
      status: 'HTTP/1.1 413 Payload Too Large',
      messages: ['The body is larger than 1000 bytes.'],
    });
  }
});

/** Of a body whose length is not known; also a few bytes of any other one. */
const CHUNK = `100\r\n${' '.repeat(256)}\r\n`;

test('headers that are too large answer 431, and the connection ends', async () => {
  const sandbox = await startFilled();
  const clients = await connectMany(sandbox);
  for (const { socket } of clients) {
    socket.write(head(sandbox, '/monitorings', 'X-Long: '.padEnd(100_000, 'x')));
  }
  await expectService(sandbox);
  await expectEnded(clients);
  for (const client of clients) {
    expect(answerOf(client)).toEqual({
      status: 'HTTP/1.1 431 Request Header Fields Too Large',
      messages: ["The request can't be read: Request Header Fields Too Large."],
    });
  }
});

longTest('clients that never read their answer keep nobody waiting, and are dropped', async () => {
  const sandbox = await startFilled();
  // More than the system's own buffers hold.
  const text = 'x'.repeat(4 * 1024 * 1024);
  for (const sourceId of ['long-1', 'long-2', 'long-3', 'long-4']) {
    const json = { documents: [review(sourceId, { text, published: '2000-01-01' })] };
    await sandbox.call('POST', '/monitorings/1/documents', { json });
  }
  const serverSides = watchServerSides();
  const deaf = await Promise.all(Array.from({ length: 5 }, () => connectTo(sandbox)));
  const ports = deaf.map(({ socket }) => socket.localPort!);
  const window = 'monitorings=1&start=2000-01-01+00:00&end=2000-01-02+00:00';
  const length = `Content-Length: ${window.length}`;
  for (const { socket } of deaf) {
    socket.pause();
    socket.write(head(sandbox, '/documents', FORM_TYPE, length) + window);
  }
  await expectService(sandbox, 5);
  await vi.waitFor(() => {
    expect(ports.map((port) => serverSides.get(port)?.destroyed)).toEqual(ports.map(() => true));
  }, EVENTUALLY);
  for (const { socket } of deaf) socket.resume();
  await expectEnded(deaf);
  for (const { received } of deaf) expect(received().length).toBeLessThan(4 * text.length);
});

/** The sandbox's ends of its connections, by the clients' ports. */
function watchServerSides(): ReadonlyMap<number, Socket> {
  const sockets = new Map<number, Socket>();
  const remember = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    sockets.set(socket.remotePort!, socket);
  };
  subscribe('http.server.request.start', remember);
  onTestFinished(() => void unsubscribe('http.server.request.start', remember));
  return sockets;
}
