import net from 'node:net';
import { gunzipSync } from 'node:zlib';
import { Agent, request } from 'undici';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FaultRule } from '../../../src/sandbox/faults/plan.js';
import { type FaultyServer, IMPORT, serveWithFaults } from './serve-with-faults.js';

const agent = new Agent();
afterAll(() => agent.destroy());

const DOCUMENTS = ['a', 'b', 'c', 'd', 'e'];

/** A server whose requests meet these faults. */
function serve(...rules: FaultRule[]): Promise<FaultyServer> {
  return serveWithFaults({ rules });
}

interface Seen {
  readonly status: number;
  readonly type: unknown;
  readonly retryAfter: unknown;
  readonly text: string;
}

/** Imports documents, or lists those that are there. */
async function send(
  { origin }: FaultyServer,
  documents?: readonly string[],
  signal?: AbortSignal,
): Promise<Seen> {
  const { statusCode, headers, body } = await request(
    origin + (documents ? IMPORT : '/5.0/documents'),
    {
      dispatcher: agent,
      ...(documents && { method: 'POST', body: JSON.stringify({ documents }) }),
      ...(signal && { signal }),
    },
  );
  const { 'content-type': type, 'retry-after': retryAfter } = headers;
  return { status: statusCode, type, retryAfter, text: await body.text() };
}

/** The code of the error that a request ends with. */
async function failure(seen: Promise<Seen>): Promise<unknown> {
  return seen.then(
    ({ status, text }) => `answered ${status}: ${text}`,
    ({ code, name }: { code?: unknown; name: string }) => (typeof code === 'string' ? code : name),
  );
}

/** Everything a server sends on one connection until that ends, and how it ended. */
async function listen(port: number, text: string): Promise<{ text: string; end: unknown }> {
  const socket = net.connect(port, '127.0.0.1', () => socket.write(text));
  onTestFinished(() => void socket.destroy());
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  const end = await new Promise<unknown>((resolve) => {
    socket.on('end', () => resolve('end'));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
  });
  return { text: Buffer.concat(chunks).toString(), end };
}

describe('an answer that is an error', () => {
  it('is a page of HTML, in place of the call or after it', async () => {
    const server = await serve(
      { requests: [1], html: true },
      { requests: [2], html: { status: 504, when: 'after' } },
    );
    const html = { type: 'text/html; charset=utf-8', text: expect.stringContaining('<html>') };
    expect(await send(server, ['a'])).toMatchObject({ status: 502, ...html });
    expect(await send(server, ['b'])).toMatchObject({ status: 504, ...html });
    expect(server.stored).toEqual(['b']);
  });
});

describe('an answer that a gateway passes on', () => {
  it('is compressed, though nobody asked', async () => {
    const server = await serve({ gateway: 'gzip' });
    const url = server.origin + IMPORT;
    const body = JSON.stringify({ documents: DOCUMENTS });
    const answer = await request(url, { dispatcher: agent, method: 'POST', body });
    expect(answer.headers['content-encoding']).toBe('gzip');
    const text = gunzipSync(Buffer.from(await answer.body.arrayBuffer())).toString();
    expect(text).toBe('{"accepted":true,"documents":5}');
    expect(server.stored).toEqual(DOCUMENTS);
  });

  it('is HTTP/1.0, and ends with its connection', async () => {
    const server = await serve({ gateway: 'http/1.0' });
    const { text, end } = await listen(
      server.port,
      'GET /5.0/documents HTTP/1.1\r\nhost: localhost\r\n\r\n',
    );
    expect(text).toMatch(/^HTTP\/1\.0 200 OK\r\n(?!.*content-length)/s);
    expect(text).toMatch(/\r\n\r\n\{"documents":\[\]\}$/);
    expect(end).toBe('end');
  });
});

describe('an answer that never comes', () => {
  it.each([
    ['before', []],
    ['after', DOCUMENTS],
  ] as const)('%s the documents are applied', async (hang, stored) => {
    const server = await serve({ on: 'import', hang });
    const giveUp = new AbortController();
    const seen = failure(send(server, DOCUMENTS, giveUp.signal));
    await server.arrived(1);
    await vi.waitFor(() => expect(server.stored).toEqual(stored));
    giveUp.abort();
    expect(await seen).toBe('AbortError');
    await server.idle();
    expect(server.stored).toEqual(stored);
  });
});

describe('a truncated answer', () => {
  const head = `POST ${IMPORT} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 23\r\n\r\n`;
  const whole = '{"accepted":true,"documents":1}';

  it.each<[true | number, string]>([
    [true, whole.slice(0, 15)],
    [7, whole.slice(0, 7)],
    [500, whole.slice(0, 15)],
  ])(
    '%j: ends before its promised length, after the documents are applied',
    async (truncate, sent) => {
      const server = await serve({ truncate });
      const { text, end } = await listen(server.port, `${head}{"documents":["a"]}    `);
      expect(end).toBe('end');
      const [headers = '', body] = text.split('\r\n\r\n');
      expect(headers).toMatch(/^HTTP\/1.1 200 OK\r\n/);
      expect(headers.toLowerCase()).toContain('content-length: 31');
      expect(headers.toLowerCase()).toContain('content-type: application/json');
      expect(body).toBe(sent);
      expect(server.stored).toEqual(['a']);
    },
  );
});

describe('an answer that never ends', () => {
  const head = `POST ${IMPORT} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 19\r\n\r\n`;

  it.each([
    ['interim', /^(HTTP\/1\.1 102 Processing\r\n\r\n){3}/],
    ['body', /^HTTP\/1\.1 200 OK\r\n.*"accepted":true.*(\r\n1\r\n ){3}/s],
  ] as const)('(%s) comes after the documents are applied', async (endless, expected) => {
    const server = await serve({ on: 'import', endless });
    const socket = net.connect(server.port, '127.0.0.1', () =>
      socket.write(`${head}{"documents":["a"]}`),
    );
    onTestFinished(() => void socket.destroy());
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    await vi.waitFor(() => expect(text).toMatch(expected), { interval: 20, timeout: 20_000 });
    expect(server.stored).toEqual(['a']);
    socket.destroy();
    await server.idle();
  });
});

describe('a value in the place of the answer', () => {
  it.each([
    [{ value: { documents: { toString: 1 } } }, 200, DOCUMENTS],
    [{ value: null, status: 502 }, 502, DOCUMENTS],
    [{ value: [[]], when: 'before' as const }, 200, []],
  ])('%j', async (answer, status, stored) => {
    const server = await serve({ answer });
    expect(await send(server, DOCUMENTS)).toMatchObject({
      status,
      type: 'application/json; charset=utf-8',
      text: JSON.stringify(answer.value),
    });
    expect(server.stored).toEqual(stored);
  });
});

describe('an import', () => {
  const stored3 = ['a', 'b', 'c'];
  it.each<[FaultRule, string[], number, string]>([
    [{ apply: { documents: 3 } }, stored3, 500, '"errors"'],
    [{ apply: { share: 0.7, answer: 'stored' } }, stored3, 200, '"documents":3'],
    [{ apply: { share: 0.7, answer: 'full' } }, stored3, 200, '"documents":5'],
    [{ refuse: { containing: 'c' } }, [], 400, '"documents[2] contains'],
    [{ refuse: { containing: 'c', stores: 'good' } }, ['a', 'b', 'd', 'e'], 400, '"errors"'],
    [{ refuse: { containing: 'c', stores: 'before' } }, ['a', 'b'], 400, '"errors"'],
    [{ countOff: -1 }, DOCUMENTS, 200, '"documents":4'],
    [{ sizeLimit: { documents: 5 } }, DOCUMENTS, 200, '"documents":5'],
    [{ sizeLimit: { documents: 4 } }, [], 413, '"errors"'],
    [{ sizeLimit: { bytes: 35 } }, DOCUMENTS, 200, '"documents":5'],
    [{ sizeLimit: { bytes: 34 } }, [], 413, '"errors"'],
  ])('that meets %j', async (rule, stored, status, text) => {
    const server = await serve(rule);
    const seen = await send(server, DOCUMENTS);
    expect(seen).toMatchObject({ status, text: expect.stringContaining(text) });
    expect(server.stored).toEqual(stored);
  });
});
