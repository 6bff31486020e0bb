import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/api/index.js';
import { collect } from '../helpers/collect.js';
import { json, startServer } from '../helpers/http-server.js';
import { eachSample } from '../helpers/runs.js';
import { credentials, openClient, rejection } from './open-client.js';

const LIST = { monitorings: [{ id: 1, title: 'Hotels', status: 'active' }] };
const FEED = { documents: [], remaining: 0, nextCursor: '20240101000000.0' };
const PAGE = { documents: [], total: 0, offset: 0 };
const BUSY = { errors: [{ message: 'slow down' }] };

type Fault = (response: ServerResponse) => void;

/** Answers that come for a moment only. */
const PASSING: Readonly<Record<string, Fault>> = {
  429: (response) => json(response, 429, BUSY),
  503: (response) => response.writeHead(503).end('<html>'),
  502: (response) => response.writeHead(502).end(),
  'a reset': (response) => response.socket?.resetAndDestroy(),
  'half an answer': (response) => {
    response.writeHead(200, { 'content-length': 9 }).write('{');
    setImmediate(() => response.socket?.destroy());
  },
};

/** A client of a service that has these faults first. */
function clientWith(faults: readonly Fault[], retries?: number) {
  let at = 0;
  return openClient(
    ({ url = '' }, response) => {
      const fault = faults[at];
      at += 1;
      if (fault !== undefined) return fault(response);
      json(response, 200, url.endsWith('feed') ? FEED : url.endsWith('gs') ? LIST : PAGE);
    },
    { retries: retries ?? 6 },
  );
}

describe('a read', () => {
  eachSample(2)(Object.entries(PASSING))('survives %s, whatever it reads', async (_, fault) => {
    const query = { monitorings: 1, start: '2024-01-01', end: '2024-01-02' };
    for (const read of ['list', 'documents', 'feed'] as const) {
      const { client, server } = await clientWith([fault, fault]);
      if (read === 'list') expect(await client.monitorings.list()).toEqual(LIST.monitorings);
      else if (read === 'feed') expect(await collect(client.feed(query))).toEqual([FEED]);
      else expect(await collect(client.documents.all(query))).toEqual([]);
      expect(server.requests).toHaveLength(3);
    }
  });

  it('waits as long as Retry-After says, and says it in the error when that is too long', async () => {
    const comingBackIn = (seconds: number) => (response: ServerResponse) => {
      response.setHeader('retry-after', String(seconds));
      json(response, 429, BUSY);
    };
    const startedMs = performance.now();
    const { client } = await clientWith([comingBackIn(1)]);
    await client.monitorings.list();
    expect(performance.now() - startedMs).toBeGreaterThan(990);
    const { client: hurried, server } = await clientWith([comingBackIn(3_600)]);
    const error = await rejection(hurried.monitorings.list());
    expect(error).toMatchObject({ name: 'ServiceError', status: 429, retryAfterMs: 3_600_000 });
    expect(server.requests).toHaveLength(1);
  });

  it('gives up after so many retries', async () => {
    const fault = PASSING['429'] as Fault;
    const { client, server } = await clientWith([fault, fault, fault], 1);
    const error = await rejection(client.monitorings.list());
    expect(error).toMatchObject({ status: 429, messages: ['slow down'], retryAfterMs: undefined });
    expect(server.requests).toHaveLength(2);
  });

  it('ends at once when its signal is aborted while it waits', async () => {
    const fault = PASSING['503'] as Fault;
    const { client } = await clientWith(Array<Fault>(50).fill(fault), 50);
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 100);
    const error = await rejection(client.monitorings.list({ signal: controller.signal }));
    expect(error.message).toBe('enough');
  });
});

it('what changes something is sent once', async () => {
  const { client, server } = await clientWith([PASSING['503'] as Fault]);
  await rejection(client.monitorings.rename(1, 'Hotels'));
  const { client: second, server: other } = await clientWith([PASSING['a reset'] as Fault]);
  await rejection(second.importDocuments(1, [{ source: 'RVW' } as never]));
  expect([server.requests.length, other.requests.length]).toEqual([1, 1]);
});

describe('a service that is away', () => {
  it('is an error with the code and the cause, at once if it never answered', async () => {
    const server = await startServer(() => {});
    await server.close();
    const client = createClient({ baseUrl: server.baseUrl, ...credentials });
    const startedMs = performance.now();
    const error = await rejection(client.monitorings.list());
    expect(performance.now() - startedMs).toBeLessThan(400);
    expect(error).toMatchObject({ name: 'ServiceDownError', code: 'ECONNREFUSED' });
    expect(error.cause).toMatchObject({ code: 'ECONNREFUSED', syscall: 'connect' });
    await client.close();
  });

  it('is waited for if it had answered before', async () => {
    const { client, server } = await clientWith([]);
    await client.monitorings.list();
    await server.close();
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('still away')), 300);
    const error = await rejection(client.monitorings.list({ signal: controller.signal }));
    expect(error.message).toBe('still away');
  });
});
