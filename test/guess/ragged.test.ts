/** Tables whose rows have another number of fields than their header. */
import { describe, expect, it } from 'vitest';
import { guessMapping, validateDocuments } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';

const TEXTS = ['The room was nice and quiet', 'Never again, dirty sheets', 'Good food, fair price'];
const FIELDS = Array.from({ length: 40 }, (_, row) => [
  String(100 + row),
  `Eva ${'KLMN'[row % 4]}.`,
  `"${TEXTS[row % 3]} (${row})"`,
  String(1 + (row % 5)),
  `2024-0${1 + (row % 9)}-1${row % 10}`,
]);
const ROWS = FIELDS.map((fields) => fields.join(','));
const HEADER = 'id,author,review,stars,date';

async function guess(lines: readonly string[]) {
  const folder = newFolder();
  const file = put(folder, 'reviews.csv', `${lines.join('\n')}\n`);
  const guessed = await guessMapping({ input: file });
  const mapping = put(folder, 'm.yaml', guessed.mapping);
  const { counts } = await validateDocuments({ input: file, mapping });
  return { ...guessed, counts, yaml: guessed.mapping };
}

describe('the header is the header', () => {
  it.each([
    ['where it has more columns than all rows', [`${HEADER},Approve,Reject`, ...ROWS], 'pad'],
    ['where all rows end in a delimiter', [HEADER, ...ROWS.map((row) => `${row},`)], undefined],
  ])('%s', async (_, lines, ragged) => {
    const { input, counts, yaml } = await guess(lines);
    expect(input.ragged).toBe(ragged);
    expect(counts).toMatchObject({ read: 40, invalid: 0 });
    expect(yaml).toMatch(/text: "\{review\}"/);
    expect(yaml).not.toMatch(/TODO: .*lack/);
  });

  it('where it has no name for the first column, with a question', async () => {
    const { input, counts, yaml } = await guess([HEADER.replace('id,', ''), ...ROWS]);
    expect(input).toMatchObject({
      header: ['', 'author', 'review', 'stars', 'date'],
      skipLines: 1,
    });
    expect(counts).toMatchObject({ read: 40, invalid: 0 });
    expect(yaml).toMatch(/TODO: the header has one column fewer/);
  });

  it('and not a record or a reason for doubts where it is repeated', async () => {
    const lines = [HEADER, ...ROWS.slice(0, 20), HEADER, ...ROWS.slice(20)];
    const { counts, yaml } = await guess(lines);
    expect(counts).toMatchObject({ read: 41, invalid: 0, skipped: 1 });
    expect(yaml).not.toMatch(/can't be read|aren't dates/);
  });
});

it('records that lack their last fields are read, with a question', async () => {
  const lines = [HEADER, ...FIELDS.map((row, at) => row.slice(0, at % 3 === 0 ? 4 : 5).join(','))];
  const { input, counts, yaml } = await guess(lines);
  expect(input).toMatchObject({ ragged: 'pad' });
  expect(counts).toMatchObject({ read: 40, invalid: 0 });
  expect(yaml.replaceAll(/\n# /g, ' ')).toMatch(/TODO: 14 of 40 records lack their last fields/);
});

it.each([
  ['lines behind the table', ['Total reviews: 40', 'Exported, by Reviews Manager']],
  ['halves of a record', ['140,Eva,The', 'room was nice,3,2024-12-27']],
])('%s are not filled up', async (_, more) => {
  const { input, counts } = await guess([HEADER, ...ROWS, ...more]);
  expect(input.ragged).toBeUndefined();
  expect(counts).toMatchObject({ read: 42, invalid: 2 });
});

it('a first line that may be a record is asked for, with both readings', async () => {
  const texts = ROWS.map((_, row) => `${2000 + row},"${TEXTS[row % 3]} (${row})"`);
  const { yaml } = await guess(texts);
  const todo = yaml.replaceAll(/\n# /g, ' ');
  expect(todo).toMatch(/TODO: line 1 is taken for the header, but may be a record/);
  expect(todo).toMatch(
    /As the header, the first record is 2000 = "2001".*as a record, it is 1 = "2000"/,
  );
});
