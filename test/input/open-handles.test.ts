/**
 * A file that nobody closes costs a descriptor, and ends the whole process on Node 26 once its
 * handle is collected as garbage.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, it } from 'vitest';
import { newFolder } from '../helpers/files.js';
import { ROOT } from '../helpers/markdown.js';
import { follow } from '../helpers/run-cli.js';
import { sample } from '../helpers/runs.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';
import { textRows, workbookOf, workbookOfTexts } from '../helpers/workbook.js';
import { zipOf } from '../helpers/zip.js';

const ROWS = Array.from({ length: 50 }, (_, n) => [`r${n}`, `The room ${n} was clean and quiet`]);
const TABLE = [['id', 'text'], ...ROWS];
const CSV = TABLE.map((row) => row.join(',')).join('\n');

it('no file stays open, however an input ends', { timeout: 300_000 }, async () => {
  const { baseUrl, username, apiKey } = await startWithMonitoring();
  const folder = newFolder();
  const inputs = await makeInputs();
  for (const [name, bytes] of Object.entries(inputs)) writeFileSync(path.join(folder, name), bytes);
  const args = [
    '--expose-gc',
    path.join(import.meta.dirname, '../helpers/end-each-way.mjs'),
    pathToFileURL(path.join(ROOT, 'dist/index.js')).href,
    folder,
    JSON.stringify({ baseUrl, username, apiKey }),
    JSON.stringify(sample(Object.keys(inputs), 2)),
  ];
  const { code, stdout, stderr } = await follow(spawn(process.execPath, args)).ended;
  const inputsEnded = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as EndedInput);
  expect(inputsEnded.filter(({ unclosed }) => unclosed.length > 0)).toEqual([]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  // The ways differ: what can be read is read to its end, in part, and refused.
  const ends = new Set(inputsEnded.flatMap((input) => Object.values(input.ends)));
  expect([...ends]).toEqual(
    expect.arrayContaining([
      `exit 0, ${ROWS.length} read`,
      `exit 4, ${ROWS.length} read`,
      expect.stringMatching(/^exit 130, /),
      expect.stringMatching(/^SourceError: /),
      expect.stringMatching(/^InterruptedError: /),
    ]),
  );
});

interface EndedInput {
  readonly name: string;
  /** How each way ended. */
  readonly ends: Readonly<Record<string, string>>;
  readonly unclosed: readonly string[];
}

/** Inputs that are read in place, copied to be read, and refused. */
async function makeInputs(): Promise<Readonly<Record<string, string | Buffer>>> {
  const workbook = await workbookOfTexts(TABLE);
  const sheets = await workbookOf({
    sheets: [
      { name: 'Cover', rows: '' },
      { name: 'May', rows: textRows(TABLE) },
      { name: 'June', rows: textRows(TABLE) },
    ],
  });
  const parquet = Buffer.from(
    parquetWriteBuffer({
      columnData: ['id', 'text'].map((name, at) => ({
        name,
        data: ROWS.map((row) => row[at] ?? ''),
        type: 'STRING' as const,
      })),
    }),
  );
  const archive = await zipOf({ 'a.csv': CSV, 'b.csv': CSV, 'read me.pdf': '%PDF-1.4' });
  return {
    'reviews.xlsx': workbook,
    'reviews.csv.gz': gzipSync(CSV),
    'reviews.csv': CSV,
    'reviews.jsonl': ROWS.map(([id, text]) => JSON.stringify({ id, text })).join('\n'),
    'sheets.xlsx': sheets,
    'reviews.xlsx.gz': gzipSync(workbook),
    'reviews.parquet': parquet,
    'reviews.parquet.gz': gzipSync(parquet),
    'archive.zip': archive,
    'archive.zip.gz': gzipSync(archive),
    'workbooks.zip': await zipOf({ 'a.xlsx': workbook, 'b.xlsx': sheets, 'c.csv': CSV }),
    'letter.docx': await zipOf({ '[Content_Types].xml': '<a/>', 'word/document.xml': '<a/>' }),
    'nothing.zip': await zipOf({ 'a.pdf': '%PDF-1.4' }),
    'empty.xlsx': await workbookOf({ sheets: [{ name: 'Cover', rows: '' }] }),
    'short.xlsx': workbook.subarray(0, workbook.length / 2),
    'short.csv.gz': gzipSync(CSV).subarray(0, 100),
    'short.parquet': parquet.subarray(0, parquet.length / 2),
    'page.csv': '<!doctype html><html><body>Log in</body></html>',
  };
}
