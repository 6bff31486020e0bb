import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { newFolder } from '../helpers/files.js';
import { startServer } from '../helpers/http-server.js';
import { ROOT } from '../helpers/markdown.js';
import { docferry, type Ended } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';
import { textRows, workbookOf, workbookOfTexts } from '../helpers/workbook.js';
import { zipOf } from '../helpers/zip.js';

const MAPPING = `
profile: minimal
document:
  sourceId: "{id}"
  text: "{text}"
  language: { value: en }
  published: { from: date, date: iso }
`;
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

  longTest('the sheet that is named, in which dates are numbers', async () => {
    const rows =
      '<row><c t="str"><v>id</v></c><c t="str"><v>text</v></c><c t="str"><v>date</v></c></row><row><c><v>7</v></c><c t="str"><v>Fine</v></c><c s="1"><v>46053.5</v></c></row>';
    const sheets = [
      { name: 'Notes', rows: textRows([['note']]) },
      { name: 'All reviews', rows },
    ];
    const cwd = holding('reviews.xlsx', await workbookOf({ sheets, styles: [0, 22] }));
    const named = await validate(cwd, 'reviews.xlsx', '--sheet', 'All reviews');
    expect(named).toMatchObject({ code: 0, stderr: '' });
    const first = await validate(cwd, 'reviews.xlsx');
    expect(first.code).toBe(2);
    expect(first.stderr).toMatch(/reviews\.xlsx.*"id"/s);
    writeFileSync(path.join(cwd, 'mapping.yaml'), `input: { sheet: 2 }\n${MAPPING}`);
    expect((await validate(cwd, 'reviews.xlsx')).code).toBe(0);
  });

  longTest('a Parquet file, and gives its bad rows back as JSON Lines', async () => {
    const column = (at: number): { name: string; data: string[]; type: 'STRING' } => ({
      name: TABLE[0]?.[at] ?? '',
      data: TABLE.slice(1).map((row) => row[at] ?? ''),
      type: 'STRING',
    });
    const bytes = parquetWriteBuffer({ columnData: [column(0), column(1), column(2)] });
    const cwd = holding('reviews.parquet', Buffer.from(bytes));
    const ended = await validate(cwd, 'reviews.parquet', '--rejects', 'bad.jsonl');
    expect(ended).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(ended.stdout)).toMatchObject({
      inputs: [{ format: 'parquet', records: 2 }],
      counts: ONE_OF_TWO,
      problems: [{ examples: [{ record: 2, line: null }] }],
    });
    expect(readFileSync(path.join(cwd, 'bad.jsonl'), 'utf8')).toBe(
      '{"id":"2","text":"Noisy","date":"soon"}\n',
    );
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
    expect(clash.stderr).toMatch(/would replace the input/);
  });

  longTest('a workbook from stdin', async () => {
    const cwd = holding('nothing', '');
    const stdin = await workbookOfTexts(TABLE);
    const ended = await docferry(['validate', '-', '-m', 'mapping.yaml', '--json'], { cwd, stdin });
    expect(JSON.parse(ended.stdout)).toMatchObject({
      inputs: [{ name: 'stdin', format: 'xlsx' }],
      counts: ONE_OF_TWO,
    });
  });

  longTest('an address, of which no secrets are shown', async () => {
    const server = await startServer((_, response) => void response.end(CSV));
    const cwd = holding('nothing', '');
    const address = new URL('/reviews.csv', server.baseUrl).href;
    const ended = await validate(cwd, `${address}?key=secret`);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      inputs: [{ name: address, format: 'csv', bytes: CSV.length }],
      counts: ONE_OF_TWO,
    });
    expect(`${ended.stdout}${ended.stderr}`).not.toContain('secret');
  });

  longTest('an address with a certificate that is trusted, and no other', async () => {
    const file = path.join(ROOT, 'test/api/self-signed.pem');
    const pem = readFileSync(file);
    const server = createServer({ key: pem, cert: pem }, (_, response) => void response.end(CSV));
    await new Promise<void>((resolve) => server.listen(0, resolve));
    try {
      const cwd = holding('nothing', '');
      const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}/reviews.csv`;
      const args = ['validate', address, '-m', 'mapping.yaml', '--json'];
      const doubted = await docferry(args, { cwd, env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } });
      expect(doubted.code).toBe(2);
      expect(doubted.stderr).toMatch(/certificate is not trusted.*NODE_EXTRA_CA_CERTS/);
      const trusted = await docferry(args, { cwd, env: { NODE_EXTRA_CA_CERTS: file } });
      expect(JSON.parse(trusted.stdout)).toMatchObject({ counts: ONE_OF_TWO });
    } finally {
      server.close();
    }
  });

  longTest('records of a workbook on threads as well', async () => {
    const rows = Array.from({ length: 90_000 }, (_, row) => [
      `${row}`,
      `Review ${row}: ${'clean, '.repeat(15)}`,
      '2026-01-31',
    ]);
    const cwd = holding('large.xlsx', await workbookOfTexts([...TABLE.slice(0, 1), ...rows]));
    const ended = await validate(cwd, 'large.xlsx', '--quiet');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ended.stdout)).toMatchObject({ counts: { read: 90_000, unsent: 90_000 } });
  });
});

describe('preview', () => {
  longTest('shows the cells of a workbook under their columns', async () => {
    const cwd = holding('reviews.xlsx', await workbookOfTexts(TABLE));
    const ended = await docferry(
      ['preview', 'reviews.xlsx', '-m', 'mapping.yaml', '--json', '--limit', '1'],
      { cwd },
    );
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('"date":"2026-01-31"');
  });
});
