import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { guessMapping, validateDocuments } from '../../src/index.js';
import { parseMapping } from '../../src/mapping/load/load-mapping.js';
import { newFolder } from '../helpers/files.js';
import { workbookOfTexts } from '../helpers/workbook.js';
import { zipOf } from '../helpers/zip.js';
import { inPieces } from '../input/read-all.js';

const TEXTS = [
  'The boat left on time and the guide knew every bird by its name',
  'Nobody told us that the cabin had no heating, and the nights were cold',
  'Good value, clean towels each day and a kitchen with all that one needs',
  'We asked three times for a table by the window and never got one',
  'My children still talk about the pony that followed us to the gate',
  'The website promised a pool, but it has been closed since the spring',
];
const review = (n: number): Record<string, unknown> => ({
  comment: `${TEXTS[n % TEXTS.length]}, on day ${n}`,
  stars: 1 + (n % 5),
  written: `2025-03-${String(1 + (n % 28)).padStart(2, '0')}`,
  guest: `${['Ada', 'Ben', 'Cleo', 'Dan', 'Eve'][n % 5]} ${'KLMNOPQ'[n % 7]}.`,
});
const reviews = (from: number, count: number): Record<string, unknown>[] =>
  Array.from({ length: count }, (_, n) => review(from + n));
const farms = ['Oak Farm', 'Mill House', 'Lake Barn', 'Hill Lodge', 'Sea View'].map((name, n) => ({
  name,
  link: `https://farms.example/${n}`,
  average: 4.1 + n / 10,
  reviews: reviews(n * 9, 3 + n),
}));

async function guessed(value: unknown, name = 'x.json'): ReturnType<typeof guessMapping> {
  const file = path.join(newFolder(), name);
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  const guess = await guessMapping({ input: file });
  const mapping = path.join(path.dirname(file), 'm.yaml');
  writeFileSync(mapping, guess.mapping);
  const { counts } = await validateDocuments({ input: file, mapping });
  expect(counts.invalid).toBe(0);
  return guess;
}

it.each<[string, unknown, string, string]>([
  ['a list', farms, 'x.json', '[].reviews[]'],
  ['a document', { page: 1, farms }, 'x.json', 'farms[].reviews[]'],
  ['lines', farms.map((one) => JSON.stringify(one)).join('\n'), 'x.jsonl', 'reviews[]'],
  ['an object', Object.fromEntries(farms.map((one) => [one.name, one])), 'x.json', '[].reviews[]'],
])(
  'reads all reviews of the elements of %s, with what they are about',
  async (_, value, name, records) => {
    const guess = await guessed(value, name);
    expect(guess.input.records).toBe(records);
    expect(guess.records.read).toBe(25);
    const { document } = parseMapping(guess.mapping, 'm.yaml');
    expect(document.text).toBe('{comment}');
    expect(document.published).toEqual({ from: 'written', date: 'iso' });
    expect(document.author?.username).toBe('{guest}');
    expect(document.metrics?.['score']).toMatchObject({ from: 'stars' });
    expect(document).not.toHaveProperty('url');
    expect(JSON.stringify(document.sourceId)).toContain('{parent.name}');
  },
);

it('reads all reviews of what can be read only once', async () => {
  const lines = Buffer.from(farms.map((one) => JSON.stringify(one)).join('\n'));
  const workbook = await workbookOfTexts([['text'], ...TEXTS.map((text) => [text])]);
  const archive = await zipOf({ 'reviews.jsonl': lines, 'read me.pdf': '%PDF-1.4' });
  for (const [bytes, read] of [
    [lines, 25],
    [workbook, TEXTS.length],
    [archive, 25],
  ] as const) {
    const { records } = await guessMapping({ input: Readable.from(inPieces(bytes, 1000)) });
    expect(records.read).toBe(read);
  }
});

it('reads reviews under ids and under names', async () => {
  const byId = Object.fromEntries(reviews(0, 12).map((one, n) => [`rv-${900 + 7 * n}`, one]));
  const ids = await guessed({ reviews: byId, total: 12 });
  expect(ids.input.records).toBe('reviews[]');
  expect(parseMapping(ids.mapping, 'm.yaml').document.sourceId).toBe('{key}');
  const byName = Object.fromEntries(farms.map(({ name, reviews: all }) => [name, all]));
  const names = await guessed(byName);
  expect(names.input.records).toBe('[][]');
  const { sourceId } = parseMapping(names.mapping, 'm.yaml').document;
  expect(JSON.stringify(sourceId)).toContain('{parent.key}');
  expect(parseMapping(names.mapping, 'm.yaml').document.tags).toContain('{parent.key}');
});

it('keeps reviews whose lists are replies or photos, and takes all of their answers', async () => {
  const replied = reviews(0, 12).map((one, n) => ({
    ...one,
    replies: [{ comment: `Dear guest, thank you for what you wrote in number ${n}`, by: 'Host' }],
    photos: [{ url: `https://img.example/${n}.jpg` }, { url: `https://img.example/${n}b.jpg` }],
  }));
  const guess = await guessed(replied);
  expect(guess.input.records).toBeUndefined();
  expect(parseMapping(guess.mapping, 'm.yaml').document.text).toBe('{comment}');

  const forms = reviews(0, 12).map(({ comment, written }, n) => ({
    submitted: written,
    answers: [
      { q: 'What did you like best?', a: comment },
      { q: 'What should we change?', a: `${TEXTS[(n + 2) % 6]}, says form ${n}` },
    ],
  }));
  const form = await guessed(forms);
  expect(form.input.records).toBeUndefined();
  expect(form.records.read).toBe(12);
  const { text } = parseMapping(form.mapping, 'm.yaml').document;
  expect(text).toEqual({ join: [{ from: 'answers[].a' }], with: '\n' });
});

it('names the other lists that have texts', async () => {
  const notes = reviews(40, 8).map(({ comment }) => ({ comment, about: 'stable' }));
  const all = await guessed({ app: 7, happy: reviews(0, 20), unhappy: reviews(20, 9) });
  expect(all.todos).toContainEqual(
    expect.stringContaining("other lists with texts: --records 'unhappy' (9 in"),
  );
  const { input, notices } = await guessed({ reviews: reviews(0, 20), notes });
  expect(input.records).toBe('reviews');
  expect(notices).toContainEqual(
    expect.stringContaining(
      "The file has other lists with texts: --records 'notes' (8 in the sample).",
    ),
  );
});
