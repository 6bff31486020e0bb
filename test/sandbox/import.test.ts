import { expect, test } from 'vitest';
import type { ImportedDocument } from '../../src/model/document.js';
import { eachSample } from '../helpers/runs.js';
import {
  messages,
  shareSandbox,
  startWithMonitoring,
  type TestSandbox,
} from '../helpers/start-sandbox.js';
import { ALWAYS, review } from './documents.js';

/** Of what is refused, nothing is stored. */
const share = shareSandbox();

const PATH = '/monitorings/1/documents';

// biome-ignore lint/suspicious/noExplicitAny: documents straight from an answer.
async function stored({ call }: TestSandbox): Promise<any[]> {
  const found = await call('POST', '/documents', { form: { monitorings: '1', ...ALWAYS } });
  return found.body.documents;
}

test.each([
  ['no documents', {}, ['documents is missing.']],
  ['an empty list', { documents: [] }, ['documents is an empty list; expected 1 or more entries.']],
  ['documents that are no list', { documents: 'r-1' }, ['documents is "r-1"; expected a list.']],
  ['a list as the body', [review('r-1')], ['The body is a list of 1; expected an object.']],
])('%s answers 400', async (_, json, expected) => {
  const { sandbox } = await share();
  const refused = await sandbox.call('POST', PATH, { json });
  expect(refused.status).toBe(400);
  expect(messages(refused).map((message, i) => message.slice(0, expected[i]!.length))).toEqual(
    expected,
  );
});

eachSample(6)<[string, unknown, string[]]>([
  ['documents[1]', null, ['documents[1]']],
  ['source', { source: 'TWT' }, ['documents[1].source']],
  ['sourceId', { sourceId: '' }, ['documents[1].sourceId']],
  ['text', { text: null }, ['documents[1].text']],
  ['sentiment', { sentiment: 'good' }, ['documents[1].sentiment']],
  ['metric', { metrics: [{ name: 'score', value: '4' }] }, ['documents[1].metrics[0].value']],
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
  const { sandbox } = await share();
  const whole = name.startsWith('d') || name.startsWith('e');
  const bad = whole ? fault : { ...review('r-1'), ...(fault as object) };
  const json = { documents: [review('r-0'), bad, review('r-2')] };
  const refused = await sandbox.call('POST', PATH, { json });
  expect(refused.status).toBe(400);
  expect(messages(refused).map((message) => message.split(' ')[0])).toEqual(paths);
  expect(await stored(sandbox)).toEqual([]);
});

test('documents that repeat a sourceId are kept, so that duplicates show', async () => {
  const sandbox = await startWithMonitoring();
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
  expect(body.documents.map(({ text }: { text: string }) => text).sort()).toEqual([
    ...['a1', 'a2', 'a3', 'b', 'elsewhere'],
  ]);
  expect(body.total).toBe(5);
  expect(answers).toEqual([2, 2, 1]);
});

test('a document without published is found when it was downloaded, or else imported', async () => {
  const sandbox = await startWithMonitoring();
  const minute = (time: number): string =>
    new Date(time).toISOString().slice(0, 16).replace('T', ' ');
  const before = Date.now();
  const documents = [review('downloaded', { downloaded: '2020-01-01T00:00:00Z' }), review('none')];
  await sandbox.call('POST', PATH, { json: { documents } });
  const find = async (start: string, end: string): Promise<string[]> => {
    const form = { monitorings: '1', start, end };
    const { body } = await sandbox.call('POST', '/documents', { form });
    return body.documents.map(({ sourceId }: ImportedDocument) => sourceId);
  };
  expect(await find('2019-12-31 23:59', '2020-01-01 00:00')).toEqual(['downloaded']);
  expect(await find(minute(before - 60_000), minute(Date.now() + 60_000))).toEqual(['none']);
});
