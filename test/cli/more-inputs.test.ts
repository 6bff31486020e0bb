import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { newFolder } from '../helpers/files.js';
import { minimalYaml } from '../helpers/reviews.js';
import { docferry, type Ended } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';
import { workbookOfTexts } from '../helpers/workbook.js';
import { zipOf } from '../helpers/zip.js';

const MAPPING = minimalYaml('language: { value: en }', 'published: { from: date, date: iso }');
const TABLE = [
  ['id', 'text', 'date'],
  ['1', 'Good, "clean"', '2026-01-31'],
  ['2', 'Noisy', 'soon'],
];
const CSV = 'id,text,date\n1,"Good, ""clean""",2026-01-31\n2,Noisy,soon\n';

/** A folder with the mapping and a file. */
function holding(name: string, content: Buffer | string): string {
  const cwd = newFolder();
  writeFileSync(path.join(cwd, name), content);
  writeFileSync(path.join(cwd, 'mapping.yaml'), MAPPING);
  return cwd;
}

function validate(cwd: string, ...args: string[]): Promise<Ended> {
  return docferry(['validate', ...args, '-m', 'mapping.yaml', '--json'], { cwd });
}

/** One record is good, and the other has a date that can't be read. */
const ONE_OF_TWO = { read: 2, invalid: 1, unsent: 1 };

describe('validate reads', () => {
  it('a workbook, and gives its bad rows back as CSV, which can be fixed', async () => {
    const cwd = holding('reviews.xlsx', await workbookOfTexts(TABLE));
    const ended = await validate(cwd, 'reviews.xlsx', '--rejects', 'bad.csv');
    expect(ended).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(ended.stdout)).toMatchObject({
      inputs: [{ name: 'reviews.xlsx', format: 'xlsx', encoding: null, records: 2 }],
      counts: ONE_OF_TWO,
      problems: [{ examples: [{ record: 2, line: 3 }] }],
    });
    const bad = readFileSync(path.join(cwd, 'bad.csv'), 'utf8');
    expect(bad).toMatch(/^\ufeffid,text,date,docferry_outcome,docferry_problems,docferry_origin\n/);
    expect(bad).toMatch(/\n2,Noisy,soon,invalid,"unreadable-date: .*",[\w-]+:1:2\n$/);
    writeFileSync(path.join(cwd, 'mended.csv'), bad.replace('2,Noisy,soon', '2,Noisy,2026-02-01'));
    expect((await validate(cwd, 'mended.csv')).code).toBe(0);
  });

  longTest('the files in a zip archive, which is not overwritten', async () => {
    const more = gzipSync('id,text,date\n3,Fine,2026-02-01\n');
    const cwd = holding('exports.zip', await zipOf({ 'a.csv': CSV, 'b.csv.gz': more }));
    const ended = await validate(cwd, 'exports.zip', '--rejects', 'bad.csv');
    expect(ended).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(ended.stdout)).toMatchObject({
      inputs: [
        { name: 'exports.zip/a.csv', compression: null, records: 2 },
        { name: 'exports.zip/b.csv.gz', compression: 'gzip', records: 1 },
      ],
      counts: { read: 3, invalid: 1, unsent: 2 },
    });
    const clash = await validate(cwd, 'exports.zip', '--rejects', 'exports.zip');
    expect(clash.code).toBe(2);
    expect(clash.stderr).toMatch(/exports\.zip can't be a file of that kind/);
  });
});
