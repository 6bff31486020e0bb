import { expect, test } from 'vitest';
import { longTest } from '../helpers/runs.js';
import {
  messages,
  startTestSandbox,
  startWithMonitoring,
  type TestSandbox,
} from '../helpers/start-sandbox.js';
import { ALWAYS, captured } from './documents.js';

/** One document, and the call that asks for it. */
async function startFilled(): Promise<
  (form: Record<string, string>) => ReturnType<TestSandbox['call']>
> {
  const { call, capture } = await startWithMonitoring();
  const author = { sourceId: 'u', name: 'Ana Núñez', about: 'Travels far' };
  await capture(1, captured({ text: 'good hotel', tags: ['t'], author }));
  return (form) => call('POST', '/documents', { form: { monitorings: '1', ...ALWAYS, ...form } });
}

function many(count: number, one: (index: number) => string, joint: string): string {
  return Array.from({ length: count }, (_, index) => one(index)).join(joint);
}

const TOO_LARGE: readonly [form: Record<string, string>, message: string][] = [
  [{ tagExpression: many(501, () => 't', ' OR ') }, 'tagExpression holds more than 500 tags.'],
  [{ query: `${'('.repeat(21)}hotel` }, 'query is nested deeper than 20 levels.'],
  [{ tagExpression: `${'NOT '.repeat(21)}t` }, 'tagExpression is nested deeper than 20 levels.'],
];

test('an expression that is larger than SQLite takes is refused, with the limit', async () => {
  const find = await startFilled();
  for (const [form, message] of TOO_LARGE) {
    const refused = await find(form);
    expect([refused.status, messages(refused)]).toEqual([400, [message]]);
  }
});

longTest('a query has any number of words', async () => {
  const find = await startFilled();
  const words = many(20_000, (index) => `w${index}`, ' OR ');
  const queries: readonly [query: string, total: number][] = [
    [words, 0],
    [`${words} OR hotel`, 1],
    [`good AND NOT (${words})`, 1],
    [`NOT (${words} OR hotel)`, 0],
    [many(20_000, () => 'hotel', ' '), 1],
    [many(20_000, () => 'NOT bad', ' '), 1],
  ];
  for (const [query, total] of queries) {
    const { body } = await find({ query });
    expect([query.slice(-20), body.errors, body.total]).toEqual([
      query.slice(-20),
      undefined,
      total,
    ]);
  }
});

// What FTS5's own language would take for operators, and words that the index holds beside the text.
const NO_OPERATORS: readonly [query: string, total: number][] = [
  ['hotel*', 1],
  ['^hotel', 1],
  ['hot*', 0],
  ['text:hotel', 0],
  ['NEAR(good hotel)', 0],
  ['m1', 0],
];

test('a query is words and nothing else to the index', async () => {
  const find = await startFilled();
  for (const [query, total] of NO_OPERATORS) {
    const { body } = await find({ query });
    expect([query, body.errors, body.total]).toEqual([query, undefined, total]);
  }
});

// Words are letters and digits without case and accents; the rest stands between them.
const WORDS: readonly [text: string, query: string, total: number][] = [
  ['Hôtel', 'HOTEL', 1],
  ['žluťoučký KŮŇ', '"zlutoucky kun"', 1],
  ['İstanbul', 'istanbul', 1],
  ['привет МИР', 'мир', 1],
  ['東京', '東京', 1],
  ['straße', 'strasse', 0],
  ["it's", '"it s"', 1],
  ['a\u00adb\u200bc\0d', '"a b c d"', 1],
  ['good hotel', '"hotel good"', 0],
  // What the index can't say by itself.
  ['good hotel', 'NOT bad', 1],
  ['good hotel', 'bad OR NOT worse', 1],
  ['good hotel', '(bad OR good) AND NOT (worse OR hotel)', 0],
  ['good hotel', 'NOT good OR NOT hotel', 0],
  ['good hotel', 'NOT (NOT good OR bad)', 1],
  // FTS5's own tokenizer took signs that are younger than Unicode 6.1 for letters.
  ['hotel₿', 'hotel', 1],
];

test('words of a query are found whatever their case, their accents and what is around them', async () => {
  const { call, capture, ensureMonitoring } = await startTestSandbox();
  const found: unknown[] = [];
  for (const [index, [text, query]] of WORDS.entries()) {
    await ensureMonitoring(index + 1);
    await capture(index + 1, captured({ text }));
    const form = { monitorings: `${index + 1}`, ...ALWAYS, query };
    const { body } = await call('POST', '/documents', { form });
    found.push([text, query, body.total]);
  }
  expect(found).toEqual(WORDS);
});

test('moments count by the minute in UTC, and the feed has what was downloaded before 1970', async () => {
  const { call, capture } = await startWithMonitoring();
  const downloaded = '1969-12-31T23:59:58Z';
  const moments = ['2024-05-31T23:59:59.999Z', '2024-06-01T01:59:00+02:00', '2024-06-01T00:00:00'];
  await capture(1, captured(...moments.map((published) => ({ published, downloaded }))));
  const form = { monitorings: '1', start: '2024-05-31 23:58', end: '2024-05-31 23:59' };
  expect((await call('POST', '/documents', { form })).body.total).toBe(2);
  const feed = await call('POST', '/documents/feed', { form: { monitorings: '1' } });
  expect(feed.body.documents).toHaveLength(3);
});
