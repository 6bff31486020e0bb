/** Exports whose texts are missing, with what is wrong with them. */
import path from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, it } from 'vitest';
import { guessMapping } from '../../src/operations/guess-mapping.js';
import { newFolder, put } from '../helpers/files.js';
import { workbookOfTexts } from '../helpers/workbook.js';

const NUMBERS = ['1', '2', '3'];
const BLANK =
  /^\S+ has no column that looks like part of a review: "Comentario" is the text by its name, but blank in every record sampled\. Export it again with the texts\.$/;

it('names the column that would be the text, and what to check of each format otherwise', async () => {
  const cwd = newFolder();
  const rows = (...names: string[]) => [names, ...NUMBERS.map((n) => [n, '', ''])];
  const csv = (...names: string[]) => `${rows(...names).join('\n')}\n`;
  put(cwd, 'blank.csv', csv('nr', 'Comentario', 'x'));
  put(cwd, 'blank.xlsx', await workbookOfTexts(rows('nr', 'Comentario', 'x')));
  put(cwd, 'blank.jsonl', NUMBERS.map((nr) => `{"nr":${nr},"Comentario":null}\n`).join(''));
  put(cwd, 'other.csv', csv('nr', 'Review photo', 'Owner response text'));
  put(cwd, 'other.xlsx', await workbookOfTexts(rows('nr', 'x', 'y')));
  put(cwd, 'other.jsonl', NUMBERS.map((nr) => `{"nr":${nr},"x":""}\n`).join(''));
  const column = { name: 'nr', data: [1n, 2n, 3n], type: 'INT64' as const };
  put(cwd, 'other.parquet', Buffer.from(parquetWriteBuffer({ columnData: [column] })));
  const expected: Readonly<Record<string, RegExp>> = {
    'blank.csv': BLANK,
    'blank.xlsx': BLANK,
    'blank.jsonl': BLANK,
    'other.csv': /Check its delimiter and header, or write/,
    'other.xlsx': /Check its sheet and header, or write/,
    'other.jsonl': /Check --records, or write/,
    'other.parquet': /Check that it is the right input, or write/,
  };
  for (const [name, message] of Object.entries(expected)) {
    const guess = guessMapping({ input: path.join(cwd, name) });
    await expect(guess, name).rejects.toMatchObject({
      ...{ exitCode: 2, message: expect.stringMatching(message) },
    });
  }
});
