import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Report, validateDocuments } from '../../../src/index.js';
import { newFolder, put } from '../../helpers/files.js';
import { minimalMapping } from '../../helpers/reviews.js';
import { workbookOf } from '../../helpers/workbook.js';

let cwd = '';
beforeEach(() => {
  cwd = newFolder();
});

async function validate(): Promise<Report> {
  const input = path.join(cwd, 'r.xlsx');
  return await validateDocuments({ input, mapping: minimalMapping(), throwOn: 'never' });
}

/** A workbook whose texts are shared: `id`, `text`, and `Good`. */
async function putWorkbook(rows: number, damagedRow: number, index: string): Promise<void> {
  const shared = ['id', 'text', 'Good'].map((text) => `<si><t>${text}</t></si>`).join('');
  const row = (at: number, id: string, text: string): string =>
    `<row r="${at}"><c r="A${at}"${id}</c><c r="B${at}" t="s"><v>${text}</v></c></row>`;
  const records = Array.from({ length: rows }, (_, at) =>
    row(at + 2, `><v>${at}</v>`, at + 2 === damagedRow ? index : '2'),
  );
  const sheets = [{ name: 'Reviews', rows: row(1, ' t="s"><v>0</v>', '1') + records.join('') }];
  put(cwd, 'r.xlsx', await workbookOf({ sheets, shared }));
}

describe('a cell that refers to a shared string that does not exist', () => {
  it.each(['7', 'x'])('is damage at the start of a sheet: %s', async (index) => {
    await putWorkbook(3, 4, index);
    await expect(validate()).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(
        /r\.xlsx.*cell B4 in sheet "Reviews" refers to a text that the.*Save the workbook again/s,
      ),
    });
  });

  it('is damage further down, behind the records before it', async () => {
    await putWorkbook(2000, 1500, '7');
    const { exitCode, counts, stop } = await validate();
    expect(exitCode).toBe(4);
    expect(counts).toMatchObject({ read: 1498, unsent: 1498 });
    expect(stop?.message).toMatch(/cell B1500 in sheet "Reviews"/);
  });
});
