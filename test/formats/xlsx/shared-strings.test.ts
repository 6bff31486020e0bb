import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Report, validateDocuments } from '../../../src/index.js';
import { newFolder, put } from '../../helpers/files.js';
import { minimalMapping } from '../../helpers/reviews.js';
import { workbookOf } from '../../helpers/workbook.js';
import { readAll } from '../../input/read-all.js';

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
  it.each(['7', '-1', '1.5', 'x'])('is damage at the start of a sheet: %s', async (index) => {
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

  it('is none where a cell is empty', async () => {
    await putWorkbook(3, 4, '');
    expect((await validate()).counts).toMatchObject({ read: 3, invalid: 1 });
  });
});

it('progress of a workbook of many shared strings ends with the whole file', async () => {
  const texts = Array.from({ length: 3000 }, (_, at) => `text ${Math.imul(at, 2654435761) >>> 0}`);
  const shared = ['id', 'text', ...texts].map((text) => `<si><t>${text}</t></si>`).join('');
  const row = (at: number): string =>
    `<row r="${at + 2}"><c r="A${at + 2}"><v>${at}</v></c><c r="B${at + 2}" t="s"><v>${at + 2}</v></c></row>`;
  const header = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>';
  const rows = header + texts.map((_, at) => row(at)).join('');
  put(cwd, 'r.xlsx', await workbookOf({ sheets: [{ name: 'Reviews', rows }], shared }));
  const { source, records } = await readAll(path.join(cwd, 'r.xlsx'));
  expect(records).toHaveLength(3000);
  const share = source.bytesRead() / (source.size ?? 0);
  expect(share).toBeGreaterThan(0.9);
  expect(share).toBeLessThanOrEqual(1);
});
