import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { guessMapping, importDocuments, validateDocuments } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';
import { ROOT } from '../helpers/markdown.js';
import { eachSample, longTest } from '../helpers/runs.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { shareSandbox } from '../helpers/start-sandbox.js';
import { textRows, workbookOf } from '../helpers/workbook.js';

const share = shareSandbox();

const FOLDER = path.join(ROOT, 'test/guess/workbooks');

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

/** What most of the workbooks have of a review. */
const USUAL: Fields = (review) => ({
  sourceId: review.id,
  text: review.text,
  published: review.moment,
  author: expect.objectContaining({ username: review.author }),
  metrics: scored(outOfTen(review)),
});

const FULL: Fields = (review) => ({ ...USUAL(review), text: titled(review), url: review.url });

const HEADLESS: Fields = (review) => {
  const { text, published, metrics } = USUAL(review);
  return { text, published, metrics, url: review.url };
};

/** Titles and days, and stars of five; no ids. */
const PLAIN: Fields = (review) => ({
  text: titled(review),
  published: midnight(review),
  author: expect.objectContaining({ username: review.author }),
  metrics: scored(review.score / 2),
});

/** Days, and scores that are read as they are given. */
const daily =
  (score: (review: Review) => number): Fields =>
  (review) => ({ ...USUAL(review), published: midnight(review), metrics: scored(score(review)) });

/** Made by ExcelJS, SheetJS and LibreOffice; what each holds is in the README beside them. */
const WORKBOOKS: readonly [file: string, input: string, fields: Fields][] = [
  // A cover, merged titles, rich text, links, formulas, an empty and a hidden sheet.
  ['exceljs-report.xlsx', '{ format: xlsx, skipLines: 3, sheet: Reviews }', FULL],
  // Texts in their cells, no dimension.
  ['exceljs-stream.xlsx', '{ format: xlsx }', FULL],
  // Days since 1904, percentages, numbers as text, truth values, errors.
  [
    'exceljs-1904.xlsx',
    '{ format: xlsx }',
    daily(({ score }) => Number((1 + (score * 4) / 10).toFixed(2))),
  ],
  // A dashboard, lines of two cells above the header, days and times apart.
  ['sheetjs-dashboard.xlsx', '{ format: xlsx, skipLines: 3, sheet: Bewertungen }', USUAL],
  // Macros, no header.
  ['sheetjs-headless.xlsm', '{ format: xlsx, header: false }', HEADLESS],
  // An empty sheet first, dates and numbers as text.
  ['sheetjs-texts.xlsx', '{ format: xlsx, sheet: Reviews 2024 }', daily(({ score }) => score / 2)],
  // An overview, a hidden sheet, merged titles, formulas, formats on rows that are empty.
  ['libreoffice-report.xlsx', '{ format: xlsx, skipLines: 2, sheet: Responses }', USUAL],
  // One sheet, days.
  ['libreoffice-plain.xlsx', '{ format: xlsx }', PLAIN],
];

describe('a workbook is guessed, validated and imported, with every field as it was written', () => {
  eachSample()(WORKBOOKS)('%s', async (file, input, fields) => {
    const { sandbox: connection, monitoring } = await share();
    const book = path.join(FOLDER, file);
    const { mapping } = await guessMapping({ input: book, ready: false });
    expect(mapping).toContain(`\ninput: ${input}\n`);
    const options = { input: book, mapping: put(newFolder(), 'guess.yaml', mapping) };
    const { counts } = await validateDocuments(options);
    expect(counts).toMatchObject({ read: 28, unsent: 28 });
    await importDocuments({ ...options, monitoring, connection, stateDir: false });
    const shown = await shownDocuments(connection, monitoring);
    expect(shown).toHaveLength(TRUTH.length);
    for (const expected of TRUTH.map(fields))
      expect(shown).toContainEqual(expect.objectContaining(expected));
  });
});

const HEADER = ['Review ID', 'Date', 'Rating', 'Author', 'Comment'];
const RECORDS = TRUTH.map(({ id, day, score, author, text }) => [
  id,
  day,
  String(score),
  author,
  text,
]);
const REVIEWS = textRows([HEADER, ...RECORDS]);

/** The line of the mapping that says how to read the input, and what is to be looked at. */
async function guessed(bytes: Buffer, file = 'book.xlsx'): Promise<readonly string[]> {
  const input = put(newFolder(), file, bytes);
  const { mapping } = await guessMapping({ input, ready: false });
  return mapping.split('\n').filter((line) => /^(?:input:|# TODO)/u.test(line));
}

describe('the sheet that is guessed from', () => {
  const cover = { name: 'Cover', rows: textRows([['Reviews of May'], ['Made by', 'A. Berg']]) };

  longTest('is stated where it is not the one that would be read', async () => {
    const reviews = { name: '2024', rows: REVIEWS };
    expect(await guessed(await workbookOf({ sheets: [cover, reviews] }))).toEqual([
      'input: { format: xlsx, sheet: "2024" }',
    ]);
    expect(await guessed(await workbookOf({ sheets: [reviews, cover] }))).toEqual([
      'input: { format: xlsx }',
    ]);
  });

  it('may be stated', async () => {
    const sheets = ['May', 'June'].map((name) => ({ name, rows: REVIEWS }));
    const input = put(newFolder(), 'book.xlsx', await workbookOf({ sheets }));
    const { mapping } = await guessMapping({ input, source: { sheet: 2 } });
    expect(mapping).toContain('\ninput: { format: xlsx, sheet: 2 }\n');
    await expect(guessMapping({ input, source: { sheet: 'July' } })).rejects.toThrow(
      /no sheet "July"; it has "May", "June"/,
    );
  });
});

describe('dates that have lost their format', () => {
  const serial = (moment: string): number => Date.parse(moment) / 86_400_000 + 25_569;
  const rowsOf = (name: string, cells: (review: Review) => string): string =>
    textRows([
      ['Review ID', name, 'Comment'],
      ...TRUTH.map((one) => [one.id, cells(one), one.text]),
    ]);
  const guessOf = async (rows: string): Promise<string> => {
    const bytes = await workbookOf({ sheets: [{ name: 'Reviews', rows }] });
    const input = put(newFolder(), 'book.xlsx', bytes);
    return (await guessMapping({ input, ready: false })).mapping;
  };

  it('are read as days since 1900', async () => {
    const moments = rowsOf('Qwx', ({ moment }) => String(serial(moment)));
    expect(await guessOf(moments)).toContain('published: { from: Qwx, date: excel-serial }');
    const days = rowsOf('Review date', ({ day }) => String(serial(day)));
    expect(await guessOf(days)).toContain('published: { from: Review date, date: excel-serial }');
  });
});

describe('a guess looks into', () => {
  it('a Parquet file', async () => {
    const columns = (['id', 'author', 'score', 'text'] as const).map((name) => ({
      name,
      data: TRUTH.map((review) => review[name]),
    }));
    const moments = { name: 'date', data: TRUTH.map(({ moment }) => new Date(moment)) };
    const bytes = Buffer.from(parquetWriteBuffer({ columnData: [...columns, moments] }));
    const input = put(newFolder(), 'reviews.parquet', bytes);
    const { mapping, records } = await guessMapping({ input });
    expect(mapping).toContain('published: { from: date, date: iso }');
    expect(records).toEqual({ read: 28, valid: 28, duplicate: 0, skipped: 0, invalid: 0 });
  });
});
