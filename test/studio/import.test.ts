import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { newFolder } from '../helpers/files.js';
import { docferry } from '../helpers/run-cli.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';
import { MAPPING, openStudio, REVIEWS } from './open-studio.js';

it('saves nothing but a text', async () => {
  const { ask, mapping } = await openStudio();
  writeFileSync(mapping, MAPPING);
  const { etag } = (await ask('/api/mapping')).json.saved;
  const put = { method: 'PUT', headers: { 'if-match': etag }, body: { text: null } };
  expect((await ask('/api/mapping', put)).status).toBe(400);
  expect(readFileSync(mapping, 'utf8')).toBe(MAPPING);
});

it('interrupts only the import that is named', async () => {
  const sandbox = await startWithMonitoring({
    faults: { rules: [{ on: 'import', latency: { fixed: 1_000 } }] },
  });
  const { baseUrl, username, apiKey } = sandbox;
  const service = { connection: { baseUrl, username, apiKey }, options: { stateDir: newFolder() } };
  const { ask, lines, mapping } = await openStudio(REVIEWS, 'reviews.csv', service);
  writeFileSync(mapping, MAPPING);
  const { stamp } = (await ask('/api/stamp')).json;
  const body = { text: MAPPING, monitoring: 1, stamp, job: 'this' };
  const running = lines('/api/import', body);
  await setTimeout(300);
  const interrupt = { method: 'POST', body: { job: 'of another tab' } };
  expect((await ask('/api/interrupt', interrupt)).status).toBe(200);
  expect((await running).at(-1)).toMatchObject({
    type: 'report',
    report: { status: 'finished', counts: { accepted: 1 } },
  });
});

it('imports only with a connection', async () => {
  const { ask } = await openStudio();
  const body = { text: MAPPING, monitoring: 1, stamp: '', job: 'this' };
  expect(await ask('/api/import', { method: 'POST', body })).toMatchObject({
    status: 409,
    json: { message: expect.stringMatching(/no connection .*--base-url/) },
  });
});

it('imports nothing if the mapping on the disk is not the one that was checked', async () => {
  const sandbox = await startWithMonitoring();
  const { baseUrl, username, apiKey } = sandbox;
  const service = {
    connection: { baseUrl, username, apiKey },
    options: { stateDir: newFolder() },
  };
  const { ask, lines, mapping } = await openStudio(REVIEWS, 'reviews.csv', service);
  const { stamp } = (await ask('/api/stamp')).json;
  const body = { text: MAPPING, monitoring: 1, stamp, job: 'this' };
  writeFileSync(mapping, `${MAPPING}  # edited elsewhere\n`);
  expect((await lines('/api/import', body)).at(-1)).toMatchObject({
    type: 'failed',
    message: expect.stringMatching(/Save it, check the file, then import/),
  });
  expect(await shownDocuments(sandbox)).toEqual([]);
  writeFileSync(mapping, MAPPING);
  expect((await lines('/api/import', body)).at(-1)).toMatchObject({
    type: 'report',
    report: { counts: { read: 3, accepted: 1, invalid: 2 } },
  });
  expect(await shownDocuments(sandbox)).toHaveLength(1);
});

it('a studio that can’t start ends, with its sandbox', async () => {
  const ended = await docferry(['studio', 'none.csv', '--sandbox'], { cwd: newFolder() });
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(/no file none\.csv/) });
});
