/** A second table in the same file or sheet, which is no part of the first. */
import { describe, expect, it } from 'vitest';
import { guessMapping, validateDocuments } from '../../../src/index.js';
import { newFolder, put } from '../../helpers/files.js';
import { textRows, workbookOf } from '../../helpers/workbook.js';

const NAMES = ['id', 'date', 'rating', 'author', 'review'];
const TEXTS = ['Clean and quiet, we slept well', 'Cold shower all week', 'The garden is lovely'];
const reviews = (count: number, from = 0): readonly string[][] =>
  Array.from({ length: count }, (_, at) => at + from).map((n) => [
    `R${1000 + n}`,
    `2024-0${1 + (n % 9)}-1${n % 10}`,
    String(1 + ((n * 7) % 5)),
    `Eva ${'KLMNPRST'[n % 8]}${n}`,
    `${TEXTS[n % 3]} ${'and so on '.repeat(n % 4)}`,
  ]);
const MONTHS = [
  ['month', 'average', 'count'],
  ['2024-01', '4.2', '12'],
  ['2024-02', '3.9', '10'],
  ['2024-03', '4.0', '90'],
];
const STAFF = [
  ['id', 'name', 'role', 'since', 'notes'],
  ...Array.from({ length: 40 }, (_, n) => [
    `S${n}`,
    `Ida ${n}`,
    'cook',
    `2019-0${1 + (n % 9)}-12`,
    'bar',
  ]),
];
const TABLE = [NAMES, ...reviews(40)];
const BLANK = [['']];
const PADDED = [['', '', '', '', '']];

const quoted = (cell: string): string => (cell.includes(',') ? `"${cell}"` : cell);
const padded = (rows: readonly string[][]): readonly string[][] =>
  rows.map((cells) => [...cells, '', '', '', ''].slice(0, 5));

/** Guesses a mapping for a table as CSV, or in a workbook, and reads it with that mapping. */
async function readGuessed(rows: readonly string[][], kind: 'csv' | 'xlsx') {
  const sheets = [{ name: 'Reviews', rows: textRows(rows) }];
  const text = `${rows.map((cells) => cells.map(quoted).join(',')).join('\n')}\n`;
  const content = kind === 'csv' ? text : await workbookOf({ sheets });
  const input = put(newFolder(), `reviews.${kind}`, content);
  const { mapping, notices, todos } = await guessMapping({ input, ready: false });
  const { counts } = await validateDocuments({
    input,
    mapping: put(newFolder(), 'guess.yaml', mapping),
  });
  return { mapping, counts, notices: notices.join('\n'), todos };
}

describe('of two tables, the reviews are read, and the other is named once', () => {
  it.each<[string, readonly string[][], RegExp]>([
    ['months below', [...TABLE, ...MONTHS], /4 \w+ from \w+ 42 on after .*"month, average/],
    ['a blank line, and months', [...TABLE, ...BLANK, ...MONTHS], /4 \w+ from \w+ 43 on after/],
    ['months as wide', [...TABLE, ...padded(MONTHS)], /4 \w+ from \w+ 42 on after/],
    ['a title', [...TABLE, ...PADDED, ['Summary'], ...MONTHS], /on after the table \("Summary"\)/],
    ['months above', [...padded(MONTHS), ...PADDED, ...TABLE], /5 \w+ from \w+ 1 on before|4 rows/],
    ['a larger table below', [...TABLE.slice(0, 13), ...BLANK, ...STAFF], /41 \w+ from \w+ 15 on/],
    ['a larger table above', [...STAFF, ...BLANK, ...TABLE], /Skipped 42 lines .*"id, name, role/],
  ])('%s', async (_, rows, notice) => {
    for (const kind of ['csv', 'xlsx'] as const) {
      const { mapping, counts, notices, todos } = await readGuessed(rows, kind);
      const count = rows.filter(([id = '']) => /^R\d{4}$/.test(id)).length;
      expect(counts).toMatchObject({ read: count, invalid: 0, skipped: 0 });
      expect(mapping).toMatch(/score: \{ from: rating, number: ".", scale: \{ from: \[1, 5\]/);
      expect(mapping).toContain('published: { from: date, date: iso }');
      expect(notices.match(new RegExp(notice, 'gu'))).toHaveLength(1);
      expect(todos).toEqual([]);
    }
  });

  it('months between reviews are a question, and change no rule', async () => {
    const rows = [
      NAMES,
      ...reviews(20),
      ...PADDED,
      ...padded(MONTHS),
      ...PADDED,
      ...reviews(20, 20),
    ];
    const { mapping, counts, todos } = await readGuessed(rows, 'csv');
    expect(todos).toEqual([expect.stringMatching(/^\d lines from line 22 on may belong to a sec/)]);
    expect(mapping).toContain('scale: { from: [1, 5]');
    expect(counts).toMatchObject({ read: 46, skipped: 6, unsent: 40 });
  });

  it('months that are seen only when the file is read through change no rule', async () => {
    const rows = [NAMES, ...reviews(7000), ...padded(MONTHS)];
    const { mapping, counts, notices } = await readGuessed(rows, 'csv');
    expect(notices).toMatch(/Record 7001 \("month, average, count"\) begins a second table/);
    expect(mapping).toContain('scale: { from: [1, 5]');
    expect(counts).toMatchObject({ read: 7004, skipped: 4 });
  });

  it('a line with the total is no record', async () => {
    const { mapping, counts } = await readGuessed([...TABLE, ['Total', '', '40', '', '']], 'csv');
    expect(mapping).toContain('scale: { from: [1, 5]');
    expect(counts).toMatchObject({ read: 40 });
  });
});
