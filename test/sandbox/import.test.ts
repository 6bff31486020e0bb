import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ImportedDocument } from '../../src/model/document.js';
import type { DuplicatesMode } from '../../src/sandbox/index.js';
import { HAS, REAL_DATA } from '../helpers/needs.js';
import { messages, startTestSandbox, type TestSandbox } from '../helpers/start-sandbox.js';
import { ALWAYS, FULL, filledIn, imported, review } from './documents.js';

const PATH = '/monitorings/1/documents';

async function sandboxWithMonitoring(
  options?: Parameters<typeof startTestSandbox>[0],
): Promise<TestSandbox> {
  const sandbox = await startTestSandbox(options);
  await sandbox.ensureMonitoring(1);
  return sandbox;
}

// biome-ignore lint/suspicious/noExplicitAny: documents straight from an answer.
async function stored({ call }: TestSandbox): Promise<any[]> {
  const found = await call('POST', '/documents', { form: { monitorings: '1', ...ALWAYS } });
  return found.body.documents;
}

test('a document comes back with every field of the reference and everything that was sent', async () => {
  const sandbox = await sandboxWithMonitoring();
  const accepted = await sandbox.call('POST', PATH, { json: { documents: [FULL] } });
  expect([accepted.status, accepted.body]).toEqual([200, { accepted: true, documents: 1 }]);
  expect(await stored(sandbox)).toEqual([
    {
      ...FULL,
      id: expect.any(Number),
      title: null,
      imageUrl: null,
      citedLocations: [],
      lat: null,
      lon: null,
      monitoring: 1,
      author: {
        ...FULL.author,
        id: expect.any(Number),
        name: '',
        authorUrl: '',
        imageUrl: '',
        isVerified: false,
        about: '',
        declaredLocation: null,
        authorLocations: [],
        metrics: [],
      },
    },
  ]);
});

test('what was not sent comes back as null or as an empty list', async () => {
  const sandbox = await sandboxWithMonitoring();
  await sandbox.call('POST', PATH, { json: { documents: [review('r-1')] } });
  const [document] = await stored(sandbox);
  expect(imported(document)).toEqual(filledIn(review('r-1')));
  expect(document).toMatchObject({ published: null, url: null, metrics: [], author: { name: '' } });
});

test('fields that the API does not know are passed over', async () => {
  const sandbox = await sandboxWithMonitoring();
  const body = JSON.stringify({ documents: [{ ...review('r-1'), color: 'red', id: 7 }] });
  const withProto = body.replace('"color"', '"__proto__":{"published":5},"color"');
  const headers = { 'content-type': 'application/json' };
  expect((await sandbox.call('POST', PATH, { body: withProto, headers })).status).toBe(200);
  const [document] = await stored(sandbox);
  expect(document).not.toHaveProperty('color');
  expect(imported(document)).toEqual(filledIn(review('r-1')));
});

test('authors with the same source and sourceId share an id, all others have their own', async () => {
  const sandbox = await sandboxWithMonitoring();
  const authors: ImportedDocument['author'][] = [
    { source: 'RVW', sourceId: 'u-1', username: 'Ann' },
    { source: 'RVW', sourceId: 'u-1', username: 'Ann B.' },
    { sourceId: 'u-1' },
    { source: 'TWT', sourceId: 'u-1' },
    { source: 'RVW', sourceId: 'u-2' },
    { source: 'RVW', sourceId: 'u-1\u0000x' },
    { source: 'RVW', sourceId: 'u-1\u0000y' },
    { source: 'RVW', sourceId: '' },
    { username: 'Ann' },
    { username: 'Ann' },
    undefined,
    undefined,
  ];
  const documents = authors.map((author, index) => review(`r-${index}`, author && { author }));
  await sandbox.call('POST', PATH, { json: { documents: documents.slice(0, 4) } });
  await sandbox.call('POST', PATH, { json: { documents: documents.slice(4) } });
  const ids = new Map(
    (await stored(sandbox)).map((document) => [document.sourceId, document.author.id]),
  );
  const inOrder = documents.map((document) => ids.get(document.sourceId));
  expect(new Set(inOrder.slice(0, 3)).size).toBe(1);
  expect(new Set(inOrder).size).toBe(authors.length - 2);
});

test('documents get ids in the order of the call', async () => {
  const sandbox = await sandboxWithMonitoring();
  const documents = Array.from({ length: 50 }, (_, index) => review(`r-${index}`));
  await sandbox.call('POST', PATH, { json: { documents } });
  const byId = (await stored(sandbox)).sort((one, other) => one.id - other.id);
  expect(byId.map((document) => document.sourceId)).toEqual(documents.map((d) => d.sourceId));
});

test.each([
  ['no documents', {}, ['documents is missing.']],
  ['an empty list', { documents: [] }, ['documents must not be empty.']],
  ['documents that are no list', { documents: 'r-1' }, ['documents must be a list, not "r-1".']],
  ['a list as the body', [review('r-1')], ['The body must be an object, not [{"source']],
])('%s answers 400', async (_, json, expected) => {
  const sandbox = await sandboxWithMonitoring();
  const refused = await sandbox.call('POST', PATH, { json });
  expect(refused.status).toBe(400);
  expect(messages(refused).map((message, i) => message.slice(0, expected[i]!.length))).toEqual(
    expected,
  );
});

test.each<[string, unknown, string[]]>([
  ['documents[1]', null, ['documents[1]']],
  ['documents[1]', 'text', ['documents[1]']],
  ['empty object', {}, ['documents[1].source', 'documents[1].sourceId', 'documents[1].text']],
  ['source', { source: 'TWT' }, ['documents[1].source']],
  ['sourceId', { sourceId: '' }, ['documents[1].sourceId']],
  ['sourceId', { sourceId: 17 }, ['documents[1].sourceId']],
  ['text', { text: null }, ['documents[1].text']],
  ['parentSourceId', { parentSourceId: 5 }, ['documents[1].parentSourceId']],
  ['language', { language: null }, ['documents[1].language']],
  ['url', { url: {} }, ['documents[1].url']],
  ['sentiment', { sentiment: 'good' }, ['documents[1].sentiment']],
  ['locations', { detectedLocations: ['a', 5] }, ['documents[1].detectedLocations[1]']],
  ['tags', { tags: 'a' }, ['documents[1].tags']],
  ['metrics', { metrics: {} }, ['documents[1].metrics']],
  ['metric', { metrics: [{ name: 'score', value: '4' }] }, ['documents[1].metrics[0].value']],
  ['metric', { metrics: [{ value: 4 }] }, ['documents[1].metrics[0].name']],
  ['author', { author: 'Ann' }, ['documents[1].author']],
  ['author', { author: { sourceId: 5 } }, ['documents[1].author.sourceId']],
  [
    'annotations',
    { author: { annotations: [{ name: 'a', value: 1 }, 'b'] } },
    ['documents[1].author.annotations[0].value', 'documents[1].author.annotations[1]'],
  ],
  [
    'several',
    { published: 'yesterday', downloaded: 5, text: 5 },
    ['documents[1].text', 'documents[1].published', 'documents[1].downloaded'],
  ],
])('one bad document refuses the whole call (%s: %j)', async (name, fault, paths) => {
  const sandbox = await sandboxWithMonitoring();
  const whole = name.startsWith('d') || name.startsWith('e');
  const bad = whole ? fault : { ...review('r-1'), ...(fault as object) };
  const json = { documents: [review('r-0'), bad, review('r-2')] };
  const refused = await sandbox.call('POST', PATH, { json });
  expect(refused.status).toBe(400);
  expect(messages(refused).map((message) => message.split(' ')[0])).toEqual(paths);
  expect(await stored(sandbox)).toEqual([]);
});

test('a message shortens what it found', async () => {
  const sandbox = await sandboxWithMonitoring();
  const json = { documents: [review('r-1', { published: 'x'.repeat(10_000) })] };
  const [message] = messages(await sandbox.call('POST', PATH, { json }));
  expect(message).toMatch(/^documents\[0\]\.published must be an ISO 8601 timestamp/);
  expect(message!.length).toBeLessThan(200);
});

test.each([
  '2024-02-29T23:59:59Z',
  '2024-05-31T08:30:00.123456789Z',
  '2024-05-31T08:30Z',
  '2024-05-31T08:30:00+05:30',
  '2024-05-31T08:30:00-0330',
  '2024-05-31T08:30:00',
  '2024-05-31',
  '2024-05-31T24:00:00Z',
])('the timestamp %s is taken, and given back as it was sent', async (published) => {
  const sandbox = await sandboxWithMonitoring();
  const json = { documents: [review('r-1', { published, downloaded: published })] };
  expect((await sandbox.call('POST', PATH, { json })).status).toBe(200);
  expect((await stored(sandbox))[0]).toMatchObject({ published, downloaded: published });
});

test.each([
  '',
  '2023-02-29T00:00:00Z',
  '2024-04-31T00:00:00Z',
  '2024-13-01T00:00:00Z',
  '2024-05-31T25:00:00Z',
  '2024-05-31 08:30:00',
  '31/05/2024',
  '2024',
  '08:30:00Z',
  '1717144200',
  'Fri, 31 May 2024 08:30:00 GMT',
])('%j is no readable timestamp', async (published) => {
  const sandbox = await sandboxWithMonitoring();
  const json = { documents: [review('r-1', { published })] };
  expect((await sandbox.call('POST', PATH, { json })).status).toBe(400);
});

test('a call takes at most maxDocuments documents', async () => {
  const sandbox = await sandboxWithMonitoring({ maxDocuments: 2 });
  const documents = [review('r-1'), review('r-2'), review('r-3')];
  const refused = await sandbox.call('POST', PATH, { json: { documents } });
  expect([refused.status, messages(refused)]).toEqual([
    413,
    ['A call takes at most 2 documents; here are 3.'],
  ]);
  const taken = await sandbox.call('POST', PATH, { json: { documents: documents.slice(1) } });
  expect(taken.body).toEqual({ accepted: true, documents: 2 });
});

test('an import into a monitoring that is not there answers 404', async () => {
  const sandbox = await sandboxWithMonitoring();
  const json = { documents: [review('r-1')] };
  const missing = await sandbox.call('POST', '/monitorings/2/documents', { json });
  expect([missing.status, messages(missing)]).toEqual([404, ['There is no monitoring 2.']]);
});

test.each<[DuplicatesMode, string[], number[]]>([
  ['keep', ['a1', 'a2', 'a3', 'b', 'elsewhere'], [2, 2, 1]],
  ['replace', ['a3', 'b', 'elsewhere'], [2, 2, 1]],
  ['ignore', ['a1', 'b', 'elsewhere'], [1, 1, 1]],
])('duplicates: %s', async (duplicates, texts, counts) => {
  const sandbox = await sandboxWithMonitoring({ duplicates });
  await sandbox.ensureMonitoring(2);
  const calls: [string, ImportedDocument[]][] = [
    [PATH, [review('a', { text: 'a1' }), review('a', { text: 'a2' })]],
    [PATH, [review('a', { text: 'a3' }), review('b', { text: 'b' })]],
    ['/monitorings/2/documents', [review('a', { text: 'elsewhere' })]],
  ];
  const answers: number[] = [];
  for (const [target, documents] of calls) {
    answers.push((await sandbox.call('POST', target, { json: { documents } })).body.documents);
  }
  const form = { monitorings: '1,2', ...ALWAYS };
  const { body } = await sandbox.call('POST', '/documents', { form });
  expect(body.documents.map(({ text }: { text: string }) => text).sort()).toEqual(texts);
  expect(body.total).toBe(texts.length);
  expect(answers).toEqual(counts);
});

test('texts come back as they were sent: NULs, lone surrogates, byte order marks', async () => {
  const sandbox = await sandboxWithMonitoring();
  const texts = [
    'a\u0000b',
    '\u0000',
    '\ud800x',
    'x\udc00',
    '\ufeffx',
    '\u202eabc',
    '',
    '\\u0000"',
  ];
  const documents = texts.map((text, index) =>
    review(`r-${index}${text}`, { text, tags: [text], author: { sourceId: text, username: text } }),
  );
  await sandbox.call('POST', PATH, { json: { documents } });
  const back = (await stored(sandbox)).sort((one, other) => one.id - other.id);
  expect(back.map(imported)).toEqual(documents.map(filledIn));
});

const BLNS = path.join(REAL_DATA, 'naughty-strings/blns.json');

describe.skipIf(!HAS.realData)('the naughty strings', () => {
  test('come back byte for byte', async () => {
    const sandbox = await sandboxWithMonitoring({ pageSize: 1000 });
    const strings: string[] = JSON.parse(readFileSync(BLNS, 'utf8'));
    const documents = strings.map((text, index) => review(`${index}:${text}`, { text }));
    await sandbox.call('POST', PATH, { json: { documents } });
    const back = (await stored(sandbox)).sort((one, other) => one.id - other.id);
    expect(back.map(imported)).toEqual(documents.map(filledIn));
  });
});
