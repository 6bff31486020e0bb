import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { openSources } from '../../../src/formats/open-sources.js';
import type { SourceOptions } from '../../../src/formats/options.js';
import { placeOf, recordAsRead } from '../../../src/formats/read-records.js';
import { SourceBrokenError } from '../../../src/model/errors.js';
import { PROBLEM_KINDS, type Problem } from '../../../src/model/record.js';
import { RunOutputs } from '../../../src/outputs/run-outputs.js';
import { rejectsAsLines, writeRejectLines } from '../../../src/report/rejects/reject-lines.js';
import {
  openRejects,
  type RejectEntry,
  type RejectsWriter,
} from '../../../src/report/rejects/rejects.js';
import { newFolder, put } from '../../helpers/files.js';
import { workbookOfTexts } from '../../helpers/workbook.js';

const ID = '20260131-093000-ab12cd';
const MESSAGES = ['is "a\nb"', 'is missing', 'a lone \ud800', 'a null \u0000', 'x'.repeat(3_000)];

/** What is wrong with the n-th record: each kind comes once, some records have several. */
function problemsOf(n: number): readonly Problem[] {
  return Array.from({ length: 1 + (n % 3) }, (_, more) => ({
    kind: PROBLEM_KINDS[(n * 3 + more) % PROBLEM_KINDS.length] ?? 'ragged',
    field: (n + more) % 4 === 0 ? null : `tags[${n}].näme`,
    message: `${n}: ${MESSAGES[(n + more) % MESSAGES.length]}`,
  }));
}

/** Every record of some files as a reject, in reading order, up to where a file breaks. */
async function entriesOf(
  files: readonly string[],
  options: SourceOptions,
): Promise<readonly RejectEntry[]> {
  const entries: RejectEntry[] = [];
  for (const source of await openSources(files, options)) {
    try {
      for await (const chunk of source.chunks()) {
        for (let index = 0; index < chunk.records; index += 1) {
          const n = entries.length;
          entries.push({
            ...recordAsRead(chunk, index),
            source,
            place: placeOf(chunk, index),
            outcome: (['invalid', 'rejected', 'unknown'] as const)[n % 3] ?? 'invalid',
            problems: problemsOf(n),
          });
        }
      }
    } catch (error) {
      if (!(error instanceof SourceBrokenError)) throw error;
    }
  }
  return entries;
}

/** The files that are written in a new folder, by name. */
async function written(write: (writer: RejectsWriter) => void | Promise<void>) {
  const folder = newFolder();
  mkdirSync(path.join(folder, 'r'));
  const outputs = new RunOutputs(ID, { force: false, marks: [] });
  const writer = openRejects(path.join(folder, 'r', 'rejects.csv'), { id: ID, outputs });
  await write(writer);
  const report = writer.close(true).map(({ file, reasons, records }) => {
    return [path.basename(file), path.basename(reasons), records];
  });
  const files = readdirSync(path.join(folder, 'r')).map((name) => {
    return [name, readFileSync(path.join(folder, 'r', name)).toString('latin1')];
  });
  return { report, files: Object.fromEntries(files) as Record<string, string> };
}

/** What each shard's process hands on, of so many records each. */
function linesOf(entries: readonly RejectEntry[], perShard: number): readonly string[] {
  const lines: string[] = [];
  for (let from = 0; from < entries.length; from += perShard) {
    const writer = rejectsAsLines((line) => lines.push(line));
    for (const entry of entries.slice(from, from + perShard)) writer.add(entry);
    expect(writer.close(true)).toEqual([]);
  }
  return lines;
}

const ROWS = [
  'id,text',
  '1,"a\nb"',
  '2,=SUM(1)',
  '3,ragged,too long',
  '4,über €',
  '5,',
  '6,"say ""hi"""',
];
const CSV = `${ROWS.join('\r\n')}\r\n`;
const OBJECTS = Array.from({ length: 9 }, (_, id) => ({ id, text: `über "${id}"\n` }));
const LINES = OBJECTS.map((object) => JSON.stringify(object));
const REJECTS_HEADER = 'id,text,docferry_outcome,docferry_problems,docferry_origin';

const WORKBOOK = await workbookOfTexts(ROWS.map((row) => row.split(',')));

type Files = Readonly<Record<string, string | Buffer>>;

const INPUTS: readonly [string, Files, SourceOptions?][] = [
  ['CSV', { 'a.csv': CSV }],
  [
    'CSV in UTF-8 with damage',
    { 'a.csv': Buffer.concat([Buffer.from(CSV), Buffer.from('7,\xff\xc3\n8,\xe9,x\n', 'latin1')]) },
    { encoding: 'utf-8' },
  ],
  ['CSV in UTF-16', { 'a.csv': iconv.encode(CSV, 'utf-16le', { addBOM: true }) }],
  ['CSV whose last quote is open', { 'a.csv': `${CSV}7,"open\n8,b\n` }],
  [
    'rejects of an earlier run',
    {
      'a.csv': `${REJECTS_HEADER}\n1,'=a,invalid,blank: x,${ID}:1:7 ${ID}:2:9\n2,b,rejected,,\n`,
    },
  ],
  ['JSON Lines', { 'a.jsonl': `${LINES.join('\n')}\nno json\n[1]\n` }],
  ['a JSON list', { 'a.json': `[${LINES.join(',')}, 7]` }],
  ['XLSX', { 'a.xlsx': WORKBOOK }],
  [
    'several layouts, some of them shared',
    {
      'a.csv': CSV,
      'b.csv': iconv.encode(CSV, 'windows-1252'),
      'c.csv': CSV.replaceAll('text', 'other'),
      'd.csv': CSV,
      'e.jsonl': LINES.join('\n'),
      'f.xlsx': WORKBOOK,
    },
  ],
];

describe('rejects that are handed on', () => {
  it.each(INPUTS)('make the files that one process writes: %s', async (_, made, stated) => {
    const options = { chunkBytes: 64, maxRecordBytes: 500, ...stated };
    const folder = newFolder();
    const files = Object.entries(made).map(([name, bytes]) => put(folder, name, bytes));
    const entries = await entriesOf(files, options);
    const direct = await written((writer) => {
      for (const entry of entries) writer.add(entry);
    });
    expect(entries.length).toBeGreaterThan(1);
    for (const perShard of [1, 3, Infinity]) {
      const lines = linesOf(entries, perShard);
      expect(lines.join('')).not.toContain('\n');
      const sources = await openSources(files, options);
      const handedOn = await written((writer) => writeRejectLines(lines, sources, writer));
      expect(handedOn).toEqual(direct);
    }
  });
});
