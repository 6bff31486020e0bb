import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Exchange } from '../../src/api/transport/exchange.js';
import { type Call, openTransport } from '../../src/api/transport/http-transport.js';
import { startBytes, writeForEver } from '../helpers/byte-server.js';
import { eachSample } from '../helpers/runs.js';

const GET: Call = { method: 'GET', path: '/monitorings/1' };
/** Larger than what sockets hold between them. */
const LARGE = Buffer.alloc(16 * 1024 * 1024, 'a');

function post(bytes: Buffer): Call {
  const body = { type: 'application/json', pieces: [bytes] } as const;
  return { method: 'POST', path: '/monitorings/1/documents', body };
}

const FOR_EVER = 60_000;

async function send(
  behave: (socket: Socket) => void,
  call: Call,
  timeoutMs = 400,
): Promise<Exchange> {
  const baseUrl = await startBytes(behave);
  const transport = openTransport({ baseUrl, username: 'u', apiKey: 'k', timeoutMs }, 1);
  onTestFinished(() => transport.close());
  return await transport.send(call);
}

/** Begins an answer with the first bytes of a request. */
function onRequest(answer: (socket: Socket) => void): (socket: Socket) => void {
  return (socket) => socket.once('data', () => answer(socket));
}

const OPEN = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

const ENDLESS: readonly [string, (socket: Socket) => void][] = [
  ['102s', onRequest((socket) => writeForEver(socket, 'HTTP/1.1 102 Processing\r\n\r\n'))],
  ['103s', onRequest((socket) => writeForEver(socket, 'HTTP/1.1 103 Early Hints\r\nx: y\r\n\r\n'))],
  [
    'headers that dribble',
    onRequest((socket) => {
      socket.write(OPEN);
      writeForEver(socket, 'x: y\r\n', 50);
    }),
  ],
  [
    'a body that dribbles',
    onRequest((socket) => {
      socket.write(`${OPEN}content-length: 1000000\r\n\r\n`);
      writeForEver(socket, ' ', 50);
    }),
  ],
  [
    'chunks that never end',
    onRequest((socket) => {
      socket.write(`${OPEN}transfer-encoding: chunked\r\n\r\n`);
      writeForEver(socket, '1\r\n \r\n', 50);
    }),
  ],
  ['nothing', onRequest(() => {})],
];

describe('an answer that never ends', () => {
  eachSample(1)(ENDLESS)(
    'ends with the timeout, which counts from the start: %s',
    async (_, behave) => {
      for (const call of [GET, post(Buffer.from('{"documents":[]}'))]) {
        expect(await send(behave, call)).toMatchObject({ kind: 'no-answer', timedOut: true });
      }
    },
  );

  eachSample(2)(ENDLESS)('ends at once when the call is aborted: %s', async (_, behave) => {
    for (const call of [GET, post(LARGE)]) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 150);
      const { signal } = controller;
      const exchange = await send(behave, { ...call, signal }, FOR_EVER);
      expect(exchange.kind).toBe('no-answer');
    }
  });

  it('a call that still waits for its connection was not sent, and ends at once when aborted', async () => {
    const baseUrl = await startBytes(() => {});
    const transport = openTransport(
      { baseUrl, username: 'u', apiKey: 'k', timeoutMs: FOR_EVER },
      1,
    );
    const controller = new AbortController();
    const first = transport.send({ ...GET, signal: controller.signal });
    const second = transport.send({ ...post(LARGE), signal: controller.signal });
    await new Promise((resolve) => setTimeout(resolve, 100));
    controller.abort();
    expect((await first).kind).toBe('no-answer');
    expect((await second).kind).toBe('not-sent');
    await transport.close();
  });
});
