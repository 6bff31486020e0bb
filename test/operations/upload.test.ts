import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { importDocuments, type Report } from '../../src/index.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';

it('an upload whose client goes away stops its run, and what had arrived is imported', async () => {
  const sandbox = await startWithMonitoring();
  let ended: (report: Report) => void;
  const report = new Promise<Report>((resolve) => {
    ended = resolve;
  });
  const server = createServer(async (upload, response) => {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const run = importDocuments({
      stateDir: false,
      input: upload,
      mapping: {
        profile: 'minimal',
        document: {
          sourceId: '{id}',
          text: '{body}',
          language: 'en',
          published: '2024-06-03T00:00:00Z',
        },
      },
      ...{ monitoring: 1, connection: sandbox, signal: gone.signal, throwOn: 'never' },
      source: { flushMs: 20 },
    });
    ended(await run);
    response.destroy();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const upload = request({ port, method: 'POST' });
  upload.on('error', () => {});
  const rows = Array.from({ length: 5_000 }, (_, id) => `${id},Fine ${id}\n`);
  upload.write(`id,body\n${rows.join('')}x,Ba`);
  while ((await shownDocuments(sandbox)).length === 0) await wait(20);
  upload.destroy();
  const { stop, counts } = await report;
  expect(stop?.kind).toMatch(/^(?:interrupted|source)$/);
  expect(counts).toMatchObject({ rejected: 0, unknown: 0 });
  expect(await shownDocuments(sandbox)).toHaveLength(counts.accepted);
});
