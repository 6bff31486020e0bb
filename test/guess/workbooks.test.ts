import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../helpers/files.js';
import { ROOT } from '../helpers/markdown.js';
import { docferry } from '../helpers/run-cli.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';

const FOLDER = path.join(ROOT, 'test/guess/workbooks');
const newFolder = temporaryFolders();

interface Review {
  readonly id: string;
  readonly author: string;
  readonly country: string;
  readonly score: number;
  readonly title: string;
  readonly text: string;
  /** ISO 8601 in UTC. */
  readonly moment: string;
  readonly day: string;
  readonly url: string;
}

/** What the programs that wrote the workbooks were given. */
const TRUTH: readonly Review[] = JSON.parse(readFileSync(path.join(FOLDER, 'truth.json'), 'utf8'));

/** What a document must say of a review. */
type Fields = (review: Review) => Readonly<Record<string, unknown>>;

const titled = ({ title, text }: Review): string => `${title}\n\n${text}`;
const midnight = ({ day }: Review): string => `${day}T00:00:00.000Z`;
const outOfTen = ({ score }: Review): number => Number((1 + ((score - 1) * 4) / 9).toFixed(2));
const scored = (value: number): unknown =>
  expect.arrayContaining([expect.objectContaining({ name: 'score', value })]);

const FULL: Fields = (review) => ({
  sourceId: review.id,
  text: titled(review),
  published: review.moment,
  url: review.url,
  author: expect.objectContaining({ username: review.author }),
  metrics: scored(outOfTen(review)),
});

const WORKBOOKS: readonly [file: string, what: string, input: string, fields: Fields][] = [
  [
    'exceljs-report.xlsx',
    'a cover, merged titles, rich text, links, formulas, an empty and a hidden sheet',
    '{ format: xlsx, skipLines: 3, sheet: Reviews }',
    FULL,
  ],
  ['exceljs-stream.xlsx', 'texts in their cells, no dimension', '{ format: xlsx }', FULL],
  [
    'exceljs-1904.xlsx',
    'days since 1904, percentages, numbers as text, truth values, errors',
    '{ format: xlsx }',
    (review) => ({
      sourceId: review.id,
      text: review.text,
      published: midnight(review),
      author: expect.objectContaining({ username: review.author }),
      metrics: scored(Number((1 + (review.score * 4) / 10).toFixed(2))),
    }),
  ],
  [
    'sheetjs-dashboard.xlsx',
    'a dashboard, lines of two cells above the header, days and times apart',
    '{ format: xlsx, skipLines: 3, sheet: Bewertungen }',
    (review) => ({
      sourceId: review.id,
      text: review.text,
      published: review.moment,
      author: expect.objectContaining({ username: review.author }),
      metrics: scored(outOfTen(review)),
    }),
  ],
  [
    'sheetjs-headless.xlsm',
    'macros, no header',
    '{ format: xlsx, header: false }',
    (review) => ({
      text: review.text,
      published: review.moment,
      url: review.url,
      metrics: scored(outOfTen(review)),
    }),
  ],
  [
    'sheetjs-texts.xlsx',
    'an empty sheet first, dates and numbers as text',
    '{ format: xlsx, sheet: Reviews 2024 }',
    (review) => ({
      sourceId: review.id,
      text: review.text,
      published: midnight(review),
      author: expect.objectContaining({ username: review.author }),
      metrics: scored(review.score / 2),
    }),
  ],
  [
    'libreoffice-report.xlsx',
    'an overview, a hidden sheet, merged titles, formulas, formats on rows that are empty',
    '{ format: xlsx, skipLines: 2, sheet: Responses }',
    (review) => ({
      sourceId: review.id,
      text: review.text,
      published: review.moment,
      author: expect.objectContaining({ username: review.author }),
      metrics: scored(outOfTen(review)),
    }),
  ],
  [
    'libreoffice-plain.xlsx',
    'one sheet, days',
    '{ format: xlsx }',
    (review) => ({
      text: titled(review),
      published: midnight(review),
      author: expect.objectContaining({ username: review.author }),
      metrics: scored(review.score / 2),
    }),
  ],
];

describe('a workbook is guessed, validated and imported, with every field as it was written', () => {
  it.each(WORKBOOKS)('%s: %s', async (file, _, input, fields) => {
    const sandbox = await startTestSandbox();
    await sandbox.ensureMonitoring(1);
    const cwd = newFolder();
    const book = path.join(FOLDER, file);
    const run = async (...args: string[]): Promise<string> => {
      const env = {
        DOCFERRY_BASE_URL: sandbox.baseUrl,
        DOCFERRY_USERNAME: sandbox.username,
        DOCFERRY_API_KEY: sandbox.apiKey,
      };
      const { code, stdout, stderr } = await docferry(args, { cwd, env });
      expect(code, stderr).toBe(0);
      return stdout + stderr;
    };
    await run('guess', book, '--no-ready', '-o', 'guess.yaml');
    const mapping = readFileSync(path.join(cwd, 'guess.yaml'), 'utf8');
    expect(mapping).toContain(`\ninput: ${input}\n`);
    expect(await run('validate', book, '--mapping', 'guess.yaml')).toMatch(
      /Valid: (all )?28( of 28)? records/,
    );
    await run('import', book, '--mapping', 'guess.yaml', '--monitoring', '1');
    const shown = await shownDocuments(sandbox);
    expect(shown).toHaveLength(TRUTH.length);
    for (const expected of TRUTH.map(fields))
      expect(shown).toContainEqual(expect.objectContaining(expected));
  });
});
