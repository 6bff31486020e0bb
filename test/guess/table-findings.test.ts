/** What was found about a table, and isn't a question, is a remark of the guess and of its mapping. */
import { describe, expect, it } from 'vitest';
import { guessText } from '../../src/cli/output/guess-text.js';
import { PLAIN } from '../../src/model/terminal.js';
import { guessMapping } from '../../src/operations/guess-mapping.js';
import { newFolder, put } from '../helpers/files.js';

const HEADER = ['id', 'guest', 'review', 'stars', 'date'];
const ROWS = Array.from({ length: 30 }, (_, n) => [
  `rv-${1000 + n * 7}`,
  `Eva ${'KLMN'[n % 4]}.`,
  `"${['Quiet nights, soft beds', 'Rude porter, never again', 'Fair price, cold soup'][n % 3]} ${n}"`,
  String(1 + (n % 5)),
  `2024-0${1 + (n % 9)}-1${n % 10}`,
]);
const TABLE = [HEADER, ...ROWS].map((cells) => cells.join(','));

const file = (lines: readonly string[]): string =>
  put(newFolder(), 'reviews.csv', `${lines.join('\n')}\n`);

describe('guess shows', () => {
  it.each([
    ['lines before the table', ['Made by Frontdesk', 'Spring', '', ...TABLE], /skipped .* before/],
    ['lines behind it', [...TABLE, '', 'Total: 30'], /skipped .* after the table/],
    ['that there is no header', TABLE.slice(1), /looks like a record/],
    [
      'why records can not be read',
      TABLE.map((line, at) => (at === 7 ? line.replace('rv-', '"rv-"') : line)),
      /1 sampled record can't be read. The first is record 7: the quoted field/,
    ],
    [
      'that rows are uneven',
      TABLE.map((line, at) => (at % 3 === 1 ? line.replaceAll('"', '') : line)),
      /too many fields/,
    ],
    [
      'columns that no row has',
      [`${HEADER.join(',')},note`, ...TABLE.slice(1)],
      /lack the last column/,
    ],
  ])('%s', async (_, lines, finding) => {
    const guess = await guessMapping({ input: file(lines), ready: false });
    expect(guess.notices.filter((notice) => finding.test(notice))).toHaveLength(1);
    expect(guess.mapping.replaceAll('\n# ', ' ')).toMatch(finding);
    expect(guessText(guess, undefined, PLAIN)).toMatch(finding);
  });

  it('a question where an empty name may shift the others', async () => {
    const lines = [HEADER.join(',').replace('guest', 'guest,'), ...TABLE.slice(1)];
    const { todos } = await guessMapping({ input: file(lines), ready: false });
    expect(todos).toEqual([expect.stringMatching(/delimiter too many.*: the first is assumed/)]);
  });
});

it('a table without a readable record names the cause', async () => {
  const lines = TABLE.map((line, at) => (at === 0 ? line : line.replaceAll('"', '')));
  const third = lines.map((line, at) => (at === 0 ? line : line.replace(/ \d+,/, ', very,$&')));
  await expect(guessMapping({ input: file(third), ready: false })).rejects.toThrow(
    /no readable records.*\n.*have 8 fields where the header has 5 names/,
  );
});
