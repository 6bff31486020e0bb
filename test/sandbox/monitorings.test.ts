import { expect, test } from 'vitest';
import { OptionError } from '../../src/model/errors.js';
import { messages, startTestSandbox } from '../helpers/start-sandbox.js';
import { SEARCH } from './documents.js';

test.each([
  ['everything wrong', {}, ['title', 'status', 'searches']],
  [
    'bad searches',
    {
      title: 't',
      status: 'active',
      searches: [
        SEARCH,
        { source: 'RVW', query: 'q' },
        { source: 'NTC', query: 'q', language: 'it' },
        { source: 'FCP', query: '', includeComments: 'yes' },
        'text',
        null,
      ],
    },
    [
      'searches[1].source',
      'searches[2].language',
      'searches[3].query',
      'searches[3].includeComments',
      'searches[4]',
      'searches[5]',
    ],
  ],
  ['a list', [], ['The body']],
  ['null', null, ['The body']],
])('a monitoring with %s is refused, one message for each fault', async (_, json, paths) => {
  const { call } = await startTestSandbox();
  const refused = await call('POST', '/monitorings', { json });
  expect(refused.status).toBe(400);
  expect(messages(refused).map((message) => message.split(/ must | is /)[0])).toEqual(paths);
  expect((await call('GET', '/monitorings')).body).toEqual({ monitorings: [] });
});

test('ensureMonitoring makes a monitoring once, and later ids stay clear of it', async () => {
  const sandbox = await startTestSandbox();
  await sandbox.ensureMonitoring(41, 'First');
  await sandbox.ensureMonitoring(41, 'Second');
  const { body } = await sandbox.call('GET', '/monitorings/41');
  expect(body).toMatchObject({ id: 41, title: 'First', status: 'active' });
  expect(body.searches).toHaveLength(1);
  const next = await sandbox.call('POST', '/monitorings', {
    json: { title: 'Next', status: 'active', searches: [SEARCH] },
  });
  expect(next.body.id).toBe(42);
});

test('ensureMonitoring refuses ids and titles that no monitoring can have', async () => {
  const sandbox = await startTestSandbox();
  for (const id of [0, -1, 1.5, Number.NaN, 2 ** 53]) {
    await expect(sandbox.ensureMonitoring(id)).rejects.toThrow(OptionError);
  }
  await expect(sandbox.ensureMonitoring(1, '')).rejects.toThrow(OptionError);
  await expect(sandbox.ensureMonitoring(1, 'x'.repeat(256))).rejects.toThrow(OptionError);
});
