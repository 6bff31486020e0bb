import { expect, test } from 'vitest';
import {
  type Answer,
  messages,
  startTestSandbox,
  type TestSandbox,
} from '../helpers/start-sandbox.js';
import { ALWAYS, review } from './documents.js';

/** Monitoring 1 holds one document at each of these times, monitoring 2 one at noon. */
const TIMES = {
  early: '2024-05-31T10:29:59Z',
  first: '2024-05-31T10:30:00Z',
  middle: '2024-05-31T14:00:00+02:00',
  last: '2024-05-31T13:45:59.999Z',
  late: '2024-05-31T13:46:00Z',
};

async function filledSandbox(options?: { pageSize?: number }): Promise<TestSandbox> {
  const sandbox = await startTestSandbox(options);
  const documents = Object.entries(TIMES).map(([id, published]) => review(id, { published }));
  await sandbox.ensureMonitoring(1);
  await sandbox.ensureMonitoring(2);
  await sandbox.call('POST', '/monitorings/1/documents', { json: { documents } });
  const other = { documents: [review('other', { published: '2024-05-31T12:00:00.001Z' })] };
  await sandbox.call('POST', '/monitorings/2/documents', { json: other });
  return sandbox;
}

function ids({ body }: Answer): string[] {
  return body.documents.map(({ sourceId }: { sourceId: string }) => sourceId);
}

test('both ends of the window count, to the minute, and the newest comes first', async () => {
  const { call } = await filledSandbox();
  const form = { monitorings: '1', start: '2024-05-31 10:30', end: '2024-05-31 13:45' };
  const found = await call('POST', '/documents', { form });
  expect(ids(found)).toEqual(['last', 'middle', 'first']);
  expect(found.body).toMatchObject({ total: 3, offset: 0 });
});

test('several monitorings are searched together, each once', async () => {
  const { call } = await filledSandbox();
  const form = { monitorings: '2,1,2', ...ALWAYS };
  const found = await call('POST', '/documents', { form });
  expect(ids(found)).toEqual(['late', 'last', 'other', 'middle', 'first', 'early']);
  expect(found.body.total).toBe(6);
  expect(new Set(found.body.documents.map((d: { monitoring: number }) => d.monitoring))).toEqual(
    new Set([1, 2]),
  );
});

test.each([
  ['2024-05-31 10:30', '2024-05-31 10:30'],
  ['2024-05-31 13:45', '2024-05-31 10:30'],
])('nothing matches from %s to %s, as the start is not before the end', async (start, end) => {
  const { call } = await filledSandbox();
  const found = await call('POST', '/documents', { form: { monitorings: '1', start, end } });
  expect([found.status, found.body]).toEqual([200, { documents: [], total: 0, offset: 0 }]);
});

test('sources restrict to the networks they name', async () => {
  const { call } = await filledSandbox();
  const total = async (sources: string): Promise<number> =>
    (await call('POST', '/documents', { form: { monitorings: '1', ...ALWAYS, sources } })).body
      .total;
  expect(await total('RVW')).toBe(5);
  expect(await total('TWT,RVW')).toBe(5);
  expect(await total('TWT,GNW,ITG')).toBe(0);
});

test('a page has at most pageSize documents, and offset leads through all of them', async () => {
  const { call } = await filledSandbox({ pageSize: 2 });
  const page = async (offset: string): Promise<unknown[]> => {
    const form = { monitorings: '1', ...ALWAYS, offset };
    const found = await call('POST', '/documents', { form });
    return [ids(found), found.body.total, found.body.offset];
  };
  expect(await page('0')).toEqual([['late', 'last'], 5, 0]);
  expect(await page('2')).toEqual([['middle', 'first'], 5, 2]);
  expect(await page('4')).toEqual([['early'], 5, 4]);
  expect(await page('5')).toEqual([[], 5, 5]);
  expect(await page('6000')).toEqual([[], 5, 6000]);
});

test('documents of the same moment come newest id first, on every page', async () => {
  const sandbox = await startTestSandbox({ pageSize: 3 });
  await sandbox.ensureMonitoring(1);
  const published = '2024-05-31T10:30:00Z';
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const documents = names.map((name) => review(name, { published }));
  await sandbox.call('POST', '/monitorings/1/documents', { json: { documents } });
  const found: string[] = [];
  for (const offset of ['0', '3', '6']) {
    const form = { monitorings: '1', ...ALWAYS, offset };
    found.push(...ids(await sandbox.call('POST', '/documents', { form })));
  }
  expect(found).toEqual(names.toReversed());
});

test('a document without published is found when it was downloaded, or else when it was imported', async () => {
  const sandbox = await startTestSandbox();
  await sandbox.ensureMonitoring(1);
  const minute = (time: number): string =>
    new Date(time).toISOString().slice(0, 16).replace('T', ' ');
  const before = Date.now();
  const documents = [review('downloaded', { downloaded: '2020-01-01T00:00:00Z' }), review('none')];
  await sandbox.call('POST', '/monitorings/1/documents', { json: { documents } });
  const find = async (start: string, end: string): Promise<string[]> =>
    ids(await sandbox.call('POST', '/documents', { form: { monitorings: '1', start, end } }));
  expect(await find('2019-12-31 23:59', '2020-01-01 00:00')).toEqual(['downloaded']);
  expect(await find(minute(before - 60_000), minute(Date.now() + 60_000))).toEqual(['none']);
});

test.each([
  'monitorings=1%2C2&start=2024-05-31+10%3A30&end=2024-05-31%2013%3A45',
  'monitorings=1,2&start=2024-05-31+10:30&end=2024-05-31%2013:45&sources=RVW%2CTWT&offset=0',
  '%6Donitorings=%31%2C%32&start=%32024-05-31+10%3A30&end=2024-05-31+13%3A45',
])('the body and the address are decoded alike: %s', async (parameters) => {
  const { call } = await filledSandbox();
  const expected = ['last', 'other', 'middle', 'first'];
  expect(ids(await call('POST', '/documents', { body: parameters }))).toEqual(expected);
  expect(ids(await call('GET', `/documents?${parameters}`))).toEqual(expected);
  expect(ids(await call('GET', `/documents?${parameters}&pretty`))).toEqual(expected);
});

const WINDOW = { start: '2024-01-01 00:00', end: '2025-01-01 00:00' };

test.each<[Record<string, string>, string[]]>([
  [{}, ['monitorings', 'start', 'end']],
  [{ monitorings: '1', start: '2024-01-01 00:00' }, ['end']],
  [{ monitorings: '', ...WINDOW }, ['monitorings']],
  [{ monitorings: '1,', ...WINDOW }, ['monitorings']],
  [{ monitorings: '1, 2', ...WINDOW }, ['monitorings']],
  [{ monitorings: 'one', ...WINDOW }, ['monitorings']],
  [{ monitorings: '-1', ...WINDOW }, ['monitorings']],
  [{ monitorings: '1', ...WINDOW, start: '2024-01-01' }, ['start']],
  [{ monitorings: '1', ...WINDOW, start: '2024-1-1 0:00' }, ['start']],
  [{ monitorings: '1', ...WINDOW, start: '2024-01-01T00:00' }, ['start']],
  [{ monitorings: '1', ...WINDOW, end: '2023-02-29 00:00' }, ['end']],
  [{ monitorings: '1', ...WINDOW, end: '2024-12-31 24:01' }, ['end']],
  [{ monitorings: '1', ...WINDOW, end: '2024-12-31 23:60' }, ['end']],
  [{ monitorings: '1', ...WINDOW, sources: '' }, ['sources']],
  [{ monitorings: '1', ...WINDOW, sources: 'RVW,XYZ' }, ['sources']],
  [{ monitorings: '1', ...WINDOW, sources: 'rvw' }, ['sources']],
  [{ monitorings: '1', ...WINDOW, offset: '-1' }, ['offset']],
  [{ monitorings: '1', ...WINDOW, offset: '1.5' }, ['offset']],
  [{ monitorings: '1', ...WINDOW, offset: '' }, ['offset']],
  [{ monitorings: '1', ...WINDOW, colour: 'red' }, ['colour']],
  [
    { monitorings: 'x', start: 'x', end: 'x', offset: 'x' },
    ['monitorings', 'start', 'end', 'offset'],
  ],
])('%j answers 400 with one message for each fault', async (form, names) => {
  const { call } = await filledSandbox();
  const refused = await call('POST', '/documents', { form });
  expect(refused.status).toBe(400);
  expect(messages(refused).map((message) => message.split(/[ :]/)[0])).toEqual(names);
  const byGet = await call('GET', `/documents?${new URLSearchParams(form)}`);
  expect([byGet.status, byGet.body]).toEqual([400, refused.body]);
});

test('a parameter given twice is refused', async () => {
  const { call } = await filledSandbox();
  const body = `${new URLSearchParams({ monitorings: '1', ...WINDOW })}&monitorings=2`;
  const refused = await call('POST', '/documents', { body });
  expect([refused.status, messages(refused)]).toEqual([
    400,
    ['monitorings is given more than once.'],
  ]);
});

test('a POST with filters in its address is refused', async () => {
  const { call } = await filledSandbox();
  const form = { monitorings: '1', ...WINDOW };
  const refused = await call('POST', '/documents?sources=TWT', { form });
  expect(refused.status).toBe(400);
  expect(messages(refused)[0]).toMatch(/^sources: /);
});

test('unknown monitorings answer 404, each with a message', async () => {
  const { call } = await filledSandbox();
  const form = { monitorings: '1,77,78', ...WINDOW };
  const refused = await call('POST', '/documents', { form });
  expect([refused.status, messages(refused)]).toEqual([
    404,
    ['There is no monitoring 77.', 'There is no monitoring 78.'],
  ]);
});

test('filters of any size are taken', async () => {
  const { call } = await startTestSandbox({ maxBodyBytes: 100 });
  const ids = Array.from({ length: 50_000 }, (_, index) => index + 1).join();
  const refused = await call('POST', '/documents', { form: { monitorings: ids, ...WINDOW } });
  expect([refused.status, messages(refused).length]).toEqual([404, 50_000]);
});
