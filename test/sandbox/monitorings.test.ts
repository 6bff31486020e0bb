import { expect, test } from 'vitest';
import { OptionError } from '../../src/model/errors.js';
import { messages, startTestSandbox } from '../helpers/start-sandbox.js';
import { SEARCH } from './documents.js';

test('a created monitoring comes back with ids and searches that were never processed', async () => {
  const { call } = await startTestSandbox();
  const created = await call('POST', '/monitorings', {
    json: { title: 'Hotels', status: 'paused', searches: [SEARCH, SEARCH] },
  });
  const { id, searches } = created.body;
  expect(created.status).toBe(200);
  expect(created.body).toEqual({
    id: expect.any(Number),
    title: 'Hotels',
    status: 'paused',
    searches: [
      { id: expect.any(Number), ...SEARCH, lastProcessed: null },
      { id: expect.any(Number), ...SEARCH, lastProcessed: null },
    ],
  });
  expect(searches[0].id).not.toBe(searches[1].id);
  expect((await call('GET', `/monitorings/${id}`)).body).toEqual(created.body);
});

test('the list shows id, title and status only', async () => {
  const { call } = await startTestSandbox();
  expect((await call('GET', '/monitorings')).body).toEqual({ monitorings: [] });
  for (const [title, status] of [
    ['One', 'active'],
    ['Two', 'paused'],
  ]) {
    await call('POST', '/monitorings', { json: { title, status, searches: [SEARCH] } });
  }
  expect((await call('GET', '/monitorings')).body).toEqual({
    monitorings: [
      { id: expect.any(Number), title: 'One', status: 'active' },
      { id: expect.any(Number), title: 'Two', status: 'paused' },
    ],
  });
});

test('language and includeComments show only on searches where they count', async () => {
  const { call } = await startTestSandbox();
  const sources = ['NTC', 'TWT', 'FCP', 'ITB', 'YTB', 'RSS', 'GPC'];
  const searches = sources.map((source) => ({
    source,
    query: 'q',
    language: 'es',
    includeComments: false,
  }));
  const { body } = await call('POST', '/monitorings', {
    json: { title: 't', status: 'active', searches },
  });
  const shown = Object.fromEntries(
    body.searches.map(({ source, id, query, lastProcessed, ...rest }: Record<string, unknown>) => [
      source,
      rest,
    ]),
  );
  expect(shown).toEqual({
    NTC: { language: 'es' },
    TWT: { language: 'es' },
    FCP: { includeComments: false },
    ITB: { includeComments: false },
    YTB: { includeComments: false },
    RSS: {},
    GPC: {},
  });
  expect((await call('GET', `/monitorings/${body.id}`)).body).toEqual(body);
});

test('language is not even looked at where it does not count', async () => {
  const { call } = await startTestSandbox();
  const searches = [{ ...SEARCH, language: 'klingon', includeComments: 'perhaps' }];
  const { status } = await call('POST', '/monitorings', {
    json: { title: 't', status: 'active', searches },
  });
  expect(status).toBe(200);
});

test.each([
  ['no title', { status: 'active', searches: [SEARCH] }, ['title']],
  ['an empty title', { title: '', status: 'active', searches: [SEARCH] }, ['title']],
  ['a title of 256', { title: 'x'.repeat(256), status: 'active', searches: [SEARCH] }, ['title']],
  ['a title that is a number', { title: 5, status: 'active', searches: [SEARCH] }, ['title']],
  ['no status', { title: 't', searches: [SEARCH] }, ['status']],
  ['an unknown status', { title: 't', status: 'on', searches: [SEARCH] }, ['status']],
  ['no searches', { title: 't', status: 'active' }, ['searches']],
  ['an empty list of searches', { title: 't', status: 'active', searches: [] }, ['searches']],
  ['searches that are no list', { title: 't', status: 'active', searches: {} }, ['searches']],
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

test('a title of 255 characters is kept, astral and control characters included', async () => {
  const { call } = await startTestSandbox();
  const title = `\u0000\ud800"\\'${'😀'.repeat(250)}`;
  expect([...title]).toHaveLength(255);
  const { body } = await call('POST', '/monitorings', {
    json: { title, status: 'active', searches: [{ source: 'RSS', query: 'a\u0000b' }] },
  });
  expect((await call('GET', `/monitorings/${body.id}`)).body).toEqual(body);
  expect(body.title).toBe(title);
  expect(body.searches[0].query).toBe('a\u0000b');
});

test.each(['99', '0', '01', '-1', 'abc', '1.0', '99999999999999999999', '1%2C2'])(
  'there is no monitoring %s',
  async (id) => {
    const sandbox = await startTestSandbox();
    await sandbox.ensureMonitoring(1);
    const missing = await sandbox.call('GET', `/monitorings/${id}`);
    expect(missing.status).toBe(404);
    expect(messages(missing)).toHaveLength(1);
  },
);

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
