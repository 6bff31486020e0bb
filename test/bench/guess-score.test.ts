import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { scoreGuess } from '../../bench/guess-score/score.js';
import { exportsIn, type Field, type Truth } from '../../bench/guess-score/truth.js';
import { isSame } from '../../bench/guess-score/values.js';
import { type Guess, type PreviewedRecord, previewDocuments } from '../../src/index.js';
import { ROOT } from '../helpers/markdown.js';

const TEXTS = ['Quiet room.', 'Cold soup, slow staff.', 'The best bed in years.'];

describe('the score of a guess', () => {
  it('is right in every field for a mapping made by hand', async () => {
    const { input, truth } = exportNamed('spring-pulse.xlsx');
    const scored = scoreGuess(truth, guessed([]), await previewed(input));
    const verdicts = new Set(scored.map(({ verdict }) => verdict));
    expect(verdicts).toEqual(new Set(['right', 'absent']));
  });

  it.each([
    ['medium', null, 'silently wrong'],
    ['high', null, 'silently wrong'],
    ['low', null, 'flagged'],
    ['medium', 'which of two?', 'flagged'],
  ] as const)(
    'calls a wrong value of confidence %s with TODO %s %s',
    (confidence, todo, verdict) => {
      const guess = guessed([{ field: 'text', confidence, todo }]);
      const wrong = documents().map((one) => changed(one, { text: 'Mr Brown' }));
      expect(verdictOf('text', truth(), guess, wrong)).toBe(verdict);
    },
  );

  it.each([
    ['# Guessed.\nname: x\n', 'silently wrong'],
    ['# Not found in the file: url, text,\n# author.sourceId.\nname: x\n', 'flagged'],
    ['# Not found in the file: url.\n# TODO: text may be in "b".\nname: x\n', 'flagged'],
    ['# Not found in the file: url.\nname: x\n# Not found in the file: text.\n', 'silently wrong'],
  ])('calls a field missing under %j %s', (mapping, verdict) => {
    const bare = documents().map((one) => changed(one, { text: undefined }));
    expect(verdictOf('text', truth(), guessed([], mapping), bare)).toBe(verdict);
  });

  it('asks for a TODO where the truth is open, whatever the values', () => {
    const open: Truth = { ...truth(), ambiguous: { text: 'either of two' } };
    const entry = { field: 'text', confidence: 'high', todo: null } as const;
    expect(verdictOf('text', open, guessed([entry]))).toBe('silently wrong');
    expect(verdictOf('text', open, guessed([{ ...entry, todo: 'look' }]))).toBe('right');
    expect(verdictOf('text', open, guessed([]))).toBe('right');
    const proposed: Truth = { ...truth(), ambiguous: { text: { why: 'x', proposed: true } } };
    expect(verdictOf('text', proposed, guessed([]))).toBe('silently wrong');
  });

  it('takes a hash that tells the same reviews apart, but no column and no row number', () => {
    const ids = (list: string[]) =>
      documents().map((one, at) => changed(one, { sourceId: list[at] }));
    const hashes = ['a', 'b', 'c'].map((letter) => letter.repeat(32));
    const hash: Truth = { ...truth(), sourceId: 'hash' };
    expect(verdictOf('sourceId', hash, guessed([]), ids(hashes))).toBe('right');
    expect(verdictOf('sourceId', hash, guessed([]), ids(['1', '2', '3']))).toBe('silently wrong');
    const twice = { ...hash, records: hash.records.map((one, at) => ({ ...one, review: at % 2 })) };
    expect(verdictOf('sourceId', twice, guessed([]), ids(hashes))).toBe('silently wrong');
    const [a = '', b = ''] = hashes;
    expect(verdictOf('sourceId', twice, guessed([]), ids([a, b, a]))).toBe('right');
  });

  it.each([
    ['country', 'Sweden', 'SE', true],
    ['country', 'Sweden', 'DE', false],
    ['text', 'Fine.\n\nWe will be back.', 'Fine. We will be back.', true],
    ['language', 'pt-BR', 'pt', true],
    ['score', 4.6, 4.556, true],
    ['score', 4.5, 4.6, false],
    ['published', '2024-05-03T23:10:00.000Z', '2024-05-03', true],
    ['published', '2024-05-03T00:00:00.000Z', '2024-05-03T23:10:00.000Z', false],
    ['likes', undefined, 0, true],
    ['username', 'LeÃ³n', { oneOf: ['León', 'LeÃ³n'] }, true],
    ['username', undefined, { oneOf: ['León', 'LeÃ³n'] }, false],
  ] as const)('compares %s %j with %j: %s', (field, told, expected, same) => {
    expect(isSame(field, told, expected as Parameters<typeof isSame>[2])).toBe(same);
  });
});

describe('the exports with their truth', () => {
  const all = exportsIn(path.join(ROOT, 'test/guess/exports'));

  it.each(all)('$name says of each record what is the review, and nothing unknown', ({ truth }) => {
    const keys = new Set(truth.records.flatMap((record) => Object.keys(record)));
    for (const key of keys) expect(KNOWN).toContain(key);
    for (const record of truth.records) {
      if (record.doc !== false) expect(record.text).toBeDefined();
      if (record.doc !== false && truth.sourceId === 'column')
        expect(record.sourceId).toBeDefined();
    }
    for (const field of [...Object.keys(truth.ambiguous), ...Object.keys(truth.unscored)])
      expect(KNOWN).toContain(field);
  });
});

const KNOWN = [
  ...['doc', 'review', 'records', 'sourceId', 'text', 'score', 'published', 'language', 'url'],
  ...['username', 'authorId', 'country', 'state', 'city', 'likes', 'comments', 'shares'],
];

function truth(): Truth {
  const records = TEXTS.map((text, at) => ({ sourceId: `r${at}`, text, score: at + 3 }));
  return { sourceId: 'column', ambiguous: {}, unscored: {}, records };
}

function documents(): PreviewedRecord[] {
  return TEXTS.map((text, at) => ({
    place: { source: 'x.csv', record: at + 1, line: at + 2 },
    record: { id: `r${at}`, text },
    skipped: false,
    document: { sourceId: `r${at}`, text, metrics: [{ name: 'score', value: at + 3 }] },
    problems: [],
    rules: [],
  }));
}

function changed(
  one: PreviewedRecord,
  { ...fields }: { text?: string | undefined; sourceId?: string | undefined },
): PreviewedRecord {
  const document = JSON.parse(JSON.stringify({ ...one.document, ...fields }));
  return { ...one, document };
}

function guessed(
  fields: readonly Omit<Guess['fields'][number], 'evidence' | 'rivals'>[],
  mapping = 'name: x\n',
): Guess {
  const records = { read: 3, valid: 3, skipped: 0, invalid: 0 };
  return {
    mapping,
    ready: null,
    input: {},
    notices: [],
    missing: [],
    leftOut: [],
    columns: [],
    todos: [],
    fields: fields.map((one) => ({ ...one, evidence: '', rivals: [] })),
    records,
  };
}

function verdictOf(field: Field, known: Truth, guess: Guess, told = documents()) {
  return scoreGuess(known, guess, told).find((one) => one.field === field)?.verdict;
}

function exportNamed(wanted: string) {
  const found = exportsIn(path.join(ROOT, 'test/guess/exports')).find(
    ({ name }) => name === wanted,
  );
  if (!found) throw new Error(`There is no ${wanted}`);
  return found;
}

function previewed(input: string): Promise<PreviewedRecord[]> {
  const recommends = 'How likely are you to recommend us to a friend? (0-10)';
  const mapping = {
    profile: 'minimal',
    input: { sheet: 'Responses', skipLines: 1 },
    document: {
      sourceId: '{Response ID}',
      text: {
        join: ['{What is the main reason for your score?}', '{What could we do better?}'],
        with: '\n\n',
      },
      language: 'en',
      published: { from: 'Submitted at', date: 'iso' },
      author: { username: '{Name}' },
      detectedLocations: { country: '{Country}' },
      metrics: { score: { from: recommends, number: '.', scale: { from: [0, 10], to: [1, 5] } } },
    },
  };
  return all(previewDocuments({ input, mapping }));
}

async function all<T>(iterable: AsyncIterable<T>): Promise<T[]> {
  const values: T[] = [];
  for await (const value of iterable) values.push(value);
  return values;
}
