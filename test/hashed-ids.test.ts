import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type ImportOptions,
  importDocuments,
  type Report,
  validateDocuments,
} from '../src/index.js';
import type { Sandbox } from '../src/sandbox/index.js';
import { newFolder, put } from './helpers/files.js';
import { longTest, runs } from './helpers/runs.js';
import { shownDocuments } from './helpers/sandbox-documents.js';
import { startTestSandbox } from './helpers/start-sandbox.js';

interface Review {
  readonly author: string;
  readonly text: string;
  readonly date: string;
  readonly score: string;
  readonly url: string;
  readonly likes: string;
}

const HEAD: readonly (keyof Review)[] = ['author', 'text', 'date', 'score', 'url', 'likes'];

function mappingOf(sourceId: object) {
  return {
    name: 'Hashed',
    profile: 'minimal' as const,
    document: {
      sourceId,
      text: '{text}',
      language: { value: 'en' },
      published: { from: 'date', date: 'iso' },
      url: 'https://r.example.com/{url}',
      metrics: { score: { from: 'score', number: '.' }, likes: { from: 'likes', number: '.' } },
      author: { username: '{author}' },
    },
  };
}

const BY_AUTHOR = mappingOf({ hash: ['{author}'] });

function review(more: Partial<Review> = {}): Review {
  return {
    author: 'Ana',
    text: 'Good',
    date: '2024-06-03',
    score: '4',
    url: 'u',
    likes: '0',
    ...more,
  };
}

function csv(reviews: readonly Review[]): string {
  return [HEAD.join(','), ...reviews.map((one) => HEAD.map((name) => one[name]).join(','))]
    .map((line) => `${line}\n`)
    .join('');
}

async function validate(reviews: readonly Review[], mapping: object = BY_AUTHOR): Promise<Report> {
  return await validateDocuments({ input: put(newFolder(), 'r.csv', csv(reviews)), mapping });
}

function messages({ problems }: Report): readonly string[] {
  return problems.flatMap(({ kind, examples }) =>
    examples.map(({ record, message }) => `${record} ${kind}: ${message}`),
  );
}

describe('a sourceId that is a hash of the mapping', () => {
  it('is shared by duplicates if text, author, date and rating agree, and what differs is told', async () => {
    const report = await validate([
      review(),
      review({ likes: '7' }),
      review({ likes: '9', url: 'v' }),
      review(),
    ]);
    expect(report.counts).toMatchObject({ read: 4, unsent: 1, duplicate: 3, invalid: 0 });
    expect(report.exitCode).toBe(0);
    expect(messages(report)).toEqual([
      expect.stringMatching(/^2 duplicate: .*r\.csv, record 1: .*same review.* in metrics\.likes$/),
      expect.stringMatching(/^3 duplicate: .*differs in url, metrics\.likes$/),
      expect.stringMatching(/^4 duplicate: .*same content, in .*r\.csv, record 1$/),
    ]);
    expect(report.notices).toContainEqual(
      '2 duplicates differ from the first record of the same review in metrics.likes (2), url (1): the first one is imported.',
    );
  });

  it.each(['text', 'date', 'score'] as const)(
    'is told apart where another %s makes another review',
    async (field) => {
      const other = { text: 'Bad', date: '2024-06-04', score: '2' }[field];
      const report = await validate([
        review(),
        review({ [field]: other }),
        review({ [field]: other }),
      ]);
      expect(report.counts).toMatchObject({ unsent: 2, duplicate: 1, invalid: 0 });
      expect(messages(report)).toContainEqual(
        expect.stringMatching(/^2 shared-hash: another review has the same hash, in .*record 1/),
      );
      expect(report.notices.join()).toMatch(
        /1 record has the hash of another review.*too few columns/,
      );
    },
  );

  it('tells a relative date, which is another one in each export, from what identifies a review', async () => {
    const { document } = BY_AUTHOR;
    const published = { from: 'date', date: 'relative', asOf: { from: 'url', date: 'iso' } };
    const mapping = { ...BY_AUTHOR, document: { ...document, published } };
    const report = await validate(
      [
        review({ date: '2 months ago', url: '2024-06-03' }),
        review({ date: '3 months ago', url: '2024-07-05' }),
      ],
      mapping,
    );
    expect(report.counts).toMatchObject({ unsent: 1, duplicate: 1 });
    expect(report.notices.join()).toContain('published (1), url (1)');
  });

  it('asks of an id of the file whether it is the review’s, and of its own hash never', async () => {
    const sourceId = { from: 'url', else: { hash: ['{author}'] } };
    const report = await validate(
      [
        review({ url: '1' }),
        review({ url: '1', likes: '3' }),
        review({ url: '' }),
        review({ url: '', likes: '3' }),
      ],
      mappingOf(sourceId),
    );
    expect(report.counts).toMatchObject({ unsent: 2, invalid: 1, duplicate: 1 });
    expect(messages(report)).toEqual([
      expect.stringMatching(/^4 duplicate/),
      expect.stringMatching(/^2 repeated-id: .*is this really/),
    ]);
  });
});

describe('duplicates: same-review', () => {
  const mapping = { ...mappingOf({ from: 'url' }), duplicates: 'same-review' };

  it('takes the same review under the file’s own id for a duplicate, and tells what differs', async () => {
    const report = await validate(
      [review(), review({ likes: '7' }), review({ text: 'Bad' })],
      mapping,
    );
    expect(report.counts).toMatchObject({ unsent: 1, duplicate: 1, invalid: 1 });
    expect(report.notices.join()).toContain('1 duplicate differs');
    expect(messages(report)).toContainEqual(expect.stringMatching(/^3 repeated-id/));
  });

  it('is what the message about a repeated id advises', async () => {
    const report = await validate([review(), review({ likes: '7' })], mappingOf({ from: 'url' }));
    expect(report.counts).toMatchObject({ unsent: 1, invalid: 1 });
    expect(messages(report).join()).toContain('"duplicates: same-review"');
  });
});

describe('imports with a hash of too few columns', () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await startTestSandbox();
  });

  const word = (...words: string[]) => fc.constantFrom(...words);
  const reviews = fc.array(
    fc.record({
      author: word('Ana', 'Bo'),
      text: word('Good', 'Bad'),
      date: word('2024-06-03', '2024-06-04'),
      score: word('2', '4'),
      url: word('u', 'v'),
      likes: word('0', '5'),
    }),
    { maxLength: 12 },
  );
  const reviewOf = ({ author, text, date, score }: Review): string =>
    [author, text, date, score].join();
  let monitoring = 0;

  async function into(
    input: readonly Review[],
    more: Partial<ImportOptions> = {},
  ): Promise<Report> {
    const { baseUrl, username, apiKey } = sandbox;
    return await importDocuments({
      input: put(newFolder(), 'r.csv', csv(input)),
      mapping: BY_AUTHOR,
      monitoring,
      connection: { baseUrl, username, apiKey },
      batchSize: 3,
      ...more,
    });
  }

  longTest('send each review once, with an id of its own, in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(reviews, fc.infiniteStream(fc.nat()), async (list, random) => {
        monitoring += 1;
        await sandbox.ensureMonitoring(monitoring);
        const stateDir = newFolder();
        const { counts } = await into(list, { stateDir });
        const shown = await shownDocuments(sandbox, monitoring);
        const once = list.filter(
          (one, at) => list.findIndex((other) => reviewOf(other) === reviewOf(one)) === at,
        );
        expect(counts).toMatchObject({
          accepted: once.length,
          duplicate: list.length - once.length,
        });
        expect(new Set(shown.map(({ sourceId }) => sourceId)).size).toBe(once.length);
        expect(shown.map(({ text }) => text).toSorted()).toEqual(
          once.map(({ text }) => text).toSorted(),
        );
        const shuffled = once
          .map((one) => [random.next().value, one] as const)
          .toSorted(([a], [b]) => a - b)
          .map(([, one]) => one);
        expect((await into(shuffled, { stateDir })).counts.accepted).toBe(0);
      }),
      { numRuns: runs(20) },
    );
  });

  it('send a review that is new although the hash was imported for another one', async () => {
    monitoring += 1;
    await sandbox.ensureMonitoring(monitoring);
    const stateDir = newFolder();
    await into([review()], { stateDir });
    const { counts } = await into([review({ likes: '3' }), review({ text: 'Bad' })], { stateDir });
    expect(counts).toMatchObject({ accepted: 1, duplicate: 1 });
  });

  it.each([0, 2])('give the same ids on %s threads', async (threads) => {
    monitoring += 1;
    await sandbox.ensureMonitoring(monitoring);
    const { counts } = await into([review(), review({ text: 'Bad' }), review({ text: 'So so' })], {
      threads,
    });
    expect(counts.accepted).toBe(3);
    const shown = await shownDocuments(sandbox, monitoring);
    expect(shown.map(({ sourceId }) => sourceId).toSorted()).toEqual([
      '4dbd0bc934890a9e40ed4da0061174b1',
      'efb16347a1067bffb52dd0bdfeaed0f2',
      'fa27ffd2ddd5df411d53baf7422cf135',
    ]);
  });
});
