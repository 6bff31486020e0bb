import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { newFolder } from '../helpers/files.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';
import { MAPPING, openStudio, REVIEWS } from './open-studio.js';

it('imports only with a connection', async () => {
  const { ask } = await openStudio();
  const body = { text: MAPPING, monitoring: 1 };
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
  const { lines, mapping } = await openStudio(REVIEWS, 'reviews.csv', service);
  const body = { text: MAPPING, monitoring: 1 };
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
