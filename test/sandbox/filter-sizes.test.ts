import { expect, test } from 'vitest';
import { messages, startTestSandbox, type TestSandbox } from '../helpers/start-sandbox.js';
import { ALWAYS } from './documents.js';
import { captured } from './oracle/plain.js';

/** One document, and the call that asks for it. */
async function startFilled(): Promise<
  (form: Record<string, string>) => ReturnType<TestSandbox['call']>
> {
  const { call, capture, ensureMonitoring } = await startTestSandbox();
  await ensureMonitoring(1);
  const author = { sourceId: 'u', name: 'Ana Núñez', about: 'Travels far' };
  await capture(1, captured({ text: 'good hotel', tags: ['t'], author }).documents);
  return (form) => call('POST', '/documents', { form: { monitorings: '1', ...ALWAYS, ...form } });
}

function many(count: number, one: (index: number) => string, joint: string): string {
  return Array.from({ length: count }, (_, index) => one(index)).join(joint);
}

const NO_TAGS = many(500, (index) => `NOT x${index}`, ' AND ');

test.each<[what: string, form: Record<string, string>, total: number]>([
  ['500 words that are all there', { query: many(500, () => 'hotel', ' AND ') }, 1],
  ['500 words, one of them there', { query: `${many(499, (i) => `x${i}`, ' OR ')} OR good` }, 1],
  ['500 words that are not there', { query: many(500, (i) => `x${i}`, ' ') }, 0],
  ['500 words to leave out', { query: many(500, (i) => `NOT x${i}`, ' ') }, 1],
  ['500 words in groups', { query: many(250, (i) => `(NOT x${i} OR hotel)`, ' ') }, 1],
  ['a phrase of 50,000 words', { query: `"${many(50_000, () => 'good', ' ')}"` }, 0],
  ['a word of 100,000 letters', { query: 'x'.repeat(100_000) }, 0],
  ['20 levels of parentheses', { query: `${'('.repeat(20)}hotel${')'.repeat(20)}` }, 1],
  ['20 times NOT', { query: `${'NOT '.repeat(20)}hotel` }, 1],
  ['500 tags that are not there', { tagExpression: NO_TAGS }, 1],
  ['500 tags and 500 words', { tagExpression: NO_TAGS, query: many(500, () => 'good', ' ') }, 1],
  ['a list of 50,000 tags', { tags: `${many(50_000, (i) => `x${i}`, ',')},t` }, 1],
  ['a name of 40,000 words', { authorName: many(20_000, () => 'núñez ana', ' ') }, 1],
  ['a name of 40,000 other words', { authorName: many(40_000, (i) => `x${i}`, ' ') }, 0],
  ['a description of 40,000 words', { authorAbout: many(40_000, () => 'FAR', ' ') }, 1],
])('%s make a filter', async (_, form, total) => {
  const find = await startFilled();
  const { status, body } = await find(form);
  expect([status, body.errors, body.total]).toEqual([200, undefined, total]);
});

test.each([
  [{ query: many(501, () => 'hotel', ' ') }, 'query holds more than 500 words or phrases.'],
  [{ query: `${'('.repeat(21)}hotel` }, 'query is nested deeper than 20 levels.'],
  [{ tagExpression: `${'NOT '.repeat(21)}t` }, 'tagExpression is nested deeper than 20 levels.'],
])('beyond that an expression is refused, with the limit', async (form, expected) => {
  const find = await startFilled();
  const refused = await find(form as Record<string, string>);
  expect([refused.status, messages(refused)[0]]).toEqual([400, expected]);
});

// What FTS5's own language would take for operators, and words that the index holds beside the text.
test.each([
  ['hotel*', 1],
  ['^hotel', 1],
  ['good+hotel', 1],
  ['-good', 1],
  ['hot*', 0],
  ['text:hotel', 0],
  ['{text}:hotel', 0],
  ['NEAR(good hotel)', 0],
  ['m1', 0],
  ['p202402', 0],
])('%s is words and nothing else', async (query, total) => {
  const find = await startFilled();
  const { body } = await find({ query });
  expect([body.errors, body.total]).toEqual([undefined, total]);
});
