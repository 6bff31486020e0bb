import { describe, expect, it } from 'vitest';
import type { Mapping, Rule } from '../src/index.js';
import {
  type ImportOptions,
  importDocuments,
  type Report,
  validateDocuments,
} from '../src/index.js';
import type { Sandbox } from '../src/sandbox/index.js';
import { newFolder, put } from './helpers/files.js';
import { shownDocuments } from './helpers/sandbox-documents.js';
import { startWithMonitoring } from './helpers/start-sandbox.js';

interface Review {
  readonly author: string;
  readonly text: string;
  readonly date: string;
  readonly score: string;
  readonly url: string;
  readonly likes: string;
}

const HEAD: readonly (keyof Review)[] = ['author', 'text', 'date', 'score', 'url', 'likes'];

function mappingOf(sourceId: Rule): Mapping {
  return {
    name: 'Hashed',
    profile: 'minimal',
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

async function validate(reviews: readonly Review[], mapping: Mapping = BY_AUTHOR): Promise<Report> {
  return await validateDocuments({ input: put(newFolder(), 'r.csv', csv(reviews)), mapping });
}

function messages({ problems }: Report): readonly string[] {
  return problems.flatMap(({ kind, examples }) =>
    examples.map(({ record, message }) => `${record} ${kind}: ${message}`),
  );
}

describe('a sourceId that is a hash of the mapping', () => {
  it('is shared by duplicates if text, author, date and rating agree', async () => {
    const report = await validate([
      review(),
      review({ likes: '7' }),
      review({ likes: '9', url: 'v' }),
      review(),
    ]);
    expect(report.counts).toMatchObject({ read: 4, unsent: 1, duplicate: 3, invalid: 0 });
    expect(report.exitCode).toBe(0);
    expect(messages(report)).toEqual([
      expect.stringMatching(/^2 duplicate: .*r\.csv, record 1: .*same review.* first one is imp/),
      expect.stringMatching(/^3 duplicate: .*same review/),
      expect.stringMatching(/^4 duplicate: .*same review/),
    ]);
  });

  it.each([
    ['text', 'Bad'],
    ['date', '2024-06-04'],
    ['score', '2'],
  ] as const)('is a repeated id where another %s makes another review', async (field, other) => {
    const report = await validate([review(), review({ [field]: other }), review({ likes: '7' })]);
    expect(report.counts).toMatchObject({ unsent: 1, duplicate: 1, invalid: 1 });
    expect(report.exitCode).toBe(1);
    expect(messages(report)).toContainEqual(
      expect.stringMatching(
        /^2 repeated-id: .*other content, in .*record 1: .*hash of more columns/,
      ),
    );
  });

  it('compares no relative date, which is another one in each export', async () => {
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
  });

  it('is compared by the review, while the file’s own ids are compared by the whole content', async () => {
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
      expect.stringMatching(/^2 repeated-id: .*check that it is/),
    ]);
  });
});

describe('duplicates: same-review', () => {
  const mapping: Mapping = { ...mappingOf({ from: 'url' }), duplicates: 'same-review' };

  it('takes the same review under the file’s own id for a duplicate', async () => {
    const report = await validate(
      [review(), review({ likes: '7' }), review({ text: 'Bad' })],
      mapping,
    );
    expect(report.counts).toMatchObject({ unsent: 1, duplicate: 1, invalid: 1 });
    expect(messages(report)).toContainEqual(expect.stringMatching(/^3 repeated-id/));
  });

  it('is what the message about a repeated id advises', async () => {
    const report = await validate([review(), review({ likes: '7' })], mappingOf({ from: 'url' }));
    expect(report.counts).toMatchObject({ unsent: 1, invalid: 1 });
    expect(messages(report).join()).toContain('"duplicates: same-review"');
  });
});

describe('imports with a hash of too few columns', () => {
  async function into(sandbox: Sandbox, more: Partial<ImportOptions>): Promise<Report> {
    return await importDocuments({
      stateDir: false,
      input: put(
        newFolder(),
        'r.csv',
        csv([review(), review({ text: 'Bad' }), review({ likes: '7' })]),
      ),
      mapping: BY_AUTHOR,
      monitoring: 1,
      connection: sandbox,
      throwOn: 'never',
      ...more,
    });
  }

  it('send the first review of each hash, under the plain hash', async () => {
    const sandbox = await startWithMonitoring();
    const { counts, exitCode } = await into(sandbox, {});
    expect(counts).toMatchObject({ accepted: 1, duplicate: 1, invalid: 1 });
    expect(exitCode).toBe(1);
    const shown = await shownDocuments(sandbox, 1);
    expect(shown.map(({ sourceId, text }) => [sourceId, text])).toEqual([
      ['fa27ffd2ddd5df411d53baf7422cf135', 'Good'],
    ]);
  });

  it('take another review under the hash of an earlier run for changed content', async () => {
    const sandbox = await startWithMonitoring();
    const stateDir = newFolder();
    await into(sandbox, { stateDir });
    const input = put(newFolder(), 'r.csv', csv([review({ text: 'Bad' })]));
    const report = await into(sandbox, { stateDir, input });
    expect(report.counts).toMatchObject({ accepted: 0, duplicate: 1 });
    expect(messages(report)).toEqual([expect.stringMatching(/^1 changed/)]);
  });
});
