import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Dialect } from '../../../src/model/chunk.js';
import {
  checkRejects,
  openRejects,
  type RejectEntry,
  type RejectsSource,
} from '../../../src/report/rejects/rejects.js';
import { newFolder } from '../../helpers/files.js';
import { HAS } from '../../helpers/needs.js';
import { runs } from '../../helpers/runs.js';

const ID = '20260131-093000-ab12cd';
const newRun = (mayReplace = false) => ({ id: ID, mayReplace });
const DIALECT: Dialect = { delimiter: ',', quote: '"', escape: '"', comment: null };

let folder = '';
beforeEach(() => {
  folder = newFolder();
});
const inFolder = (name: string) => path.join(folder, name);
const read = (name: string) => readFileSync(inFolder(name), 'utf8');

function csvSource(head: string, encoding: string | null = 'utf-8'): RejectsSource {
  return {
    name: 'a.csv',
    input: 0,
    layout: { format: 'csv', dialect: DIALECT, columns: [], header: 'none' },
    detected: { encoding },
    head: Buffer.from(head),
    tail: Buffer.from(''),
  };
}

function jsonSource(head: string, tail: string): RejectsSource {
  const base = csvSource(head);
  return { ...base, layout: { format: 'json', inList: true }, tail: Buffer.from(tail) };
}

function reject(source: RejectsSource, record: number, raw: string | Uint8Array): RejectEntry {
  return {
    source,
    place: { source: source.name, record, line: record * 10 },
    outcome: 'invalid',
    problems: [{ kind: 'blank', field: 'text', message: 'text is ""' }],
    raw: typeof raw === 'string' ? Buffer.from(raw) : raw,
    shape: 'whole',
  };
}

/** Writes what another run would have refused to write over. */
function write(entries: readonly RejectEntry[], name = 'rejects.csv', run = newRun(true)) {
  const writer = openRejects(inFolder(name), run);
  for (const entry of entries) writer.add(entry);
  writer.finish();
  return writer.close(true);
}

function reasons(name = 'rejects.csv.why.jsonl'): { line: number; record: number }[] {
  return read(name)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { line: number; record: number });
}

describe('rejects', () => {
  it('hold the head of their source and the records as they were read', async () => {
    const source = csvSource('made by x\r\nid,text\r\n');
    const files = write([reject(source, 2, '2,"a\nb"'), reject(source, 9, '9,')]);
    expect(read('rejects.csv')).toBe('made by x\r\nid,text\r\n2,"a\nb"\r\n9,\r\n');
    expect(reasons()).toEqual([
      {
        line: 3,
        source: 'a.csv',
        record: 2,
        sourceLine: 20,
        outcome: 'invalid',
        problems: [{ kind: 'blank', field: 'text', message: 'text is ""' }],
      },
      expect.objectContaining({ line: 5, record: 9 }),
    ]);
    expect(files).toEqual([
      {
        file: inFolder('rejects.csv'),
        reasons: inFolder('rejects.csv.why.jsonl'),
        records: 2,
      },
    ]);
  });

  it.each([
    ['\n', 'id\n', 'id\n1\n'],
    ['\r', 'id\r', 'id\r1\r'],
    ['a head without line end', 'id', 'id\n1\n'],
    ['no head', '', '1\n'],
  ])('end lines as their source does: %j', async (_, head, whole) => {
    write([reject(csvSource(head), 1, '1')]);
    expect(read('rejects.csv')).toBe(whole);
  });

  it('of JSON lines stay JSON lines, with a CR where there was one', async () => {
    const source: RejectsSource = { ...csvSource(''), layout: { format: 'jsonl' } };
    write([reject(source, 1, '{"a":1}'), reject(source, 2, '{"a":2}\r')]);
    expect(read('rejects.csv')).toBe('{"a":1}\n{"a":2}\r\n');
  });

  it('of a JSON document make a JSON document', async () => {
    const source = jsonSource('{"result": {\n"reviews": [', ']}, "n": 7}\n');
    write([reject(source, 1, '{"a":\n1}'), reject(source, 4, '{"a":4}')]);
    expect(JSON.parse(read('rejects.csv'))).toEqual({
      result: { reviews: [{ a: 1 }, { a: 4 }] },
      n: 7,
    });
    expect(reasons().map(({ line }) => line)).toEqual([2, 4]);
  });

  it('of a JSON document whose end was never read are closed all the same', async () => {
    const source = jsonSource('{"[\\"{": [1], "result": {"reviews": [', '');
    write([reject(source, 1, '{"a":1}')]);
    expect(JSON.parse(read('rejects.csv'))).toEqual({
      '["{': [1],
      result: { reviews: [{ a: 1 }] },
    });
  });

  it.each(['windows-1252', 'utf-16le', 'utf-16'])('are written back in %s', async (encoding) => {
    const source = csvSource('id,tëxt\n', encoding);
    write([reject(source, 1, '1,„é€'), reject(source, 2, '2,ü')]);
    const bytes = readFileSync(inFolder('rejects.csv'));
    expect(iconv.decode(bytes, encoding)).toBe('id,tëxt\n1,„é€\n2,ü\n');
    const hasMark = [0xfffe, 0xfeff].includes(bytes.readUInt16BE(0));
    expect(hasMark).toBe(encoding.startsWith('utf-16'));
  });

  it('of different layouts go to different files', async () => {
    const entries = [
      reject(csvSource('id\n'), 1, '1'),
      reject(csvSource('other\n'), 2, '2'),
      reject(csvSource('id\n'), 3, '3'),
      reject(csvSource('id\n', 'windows-1252'), 4, '4'),
    ];
    const files = write(entries);
    expect(files.map(({ file, records }) => [path.basename(file), records])).toEqual([
      ['rejects.csv', 2],
      ['rejects.2.csv', 1],
      ['rejects.3.csv', 1],
    ]);
    expect(read('rejects.csv')).toBe('id\n1\n3\n');
    expect(read('rejects.2.csv')).toBe('other\n2\n');
    expect(reasons('rejects.2.csv.why.jsonl')[0]?.record).toBe(2);
  });

  it('that have no end stand apart, so that they swallow no others', async () => {
    const source = csvSource('id\n');
    write([{ ...reject(source, 1, '"open'), shape: 'broken' }, reject(source, 2, '2')]);
    expect(read('rejects.csv')).toBe('id\n"open\n');
    expect(read('rejects.2.csv')).toBe('id\n2\n');
  });

  it('parse to the same records as before, at the lines that the reasons name', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r\n', 'é', ' ') });
    const rows = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 });
    const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom('\n', '\r\n'), async (records, lineEnd) => {
        const source = csvSource(`a,b${lineEnd}`);
        const raw = records.map((record) => record.map(quote).join(','));
        write(raw.map((text, index) => reject(source, index + 1, text)));
        const text = read('rejects.csv');
        expect(parse(text, { from_line: 1 }).slice(1)).toEqual(records);
        const lines = text.split('\n');
        for (const { line, record } of reasons()) {
          expect(
            lines
              .slice(line - 1)
              .join('\n')
              .startsWith(raw[record - 1]!),
          ).toBe(true);
        }
      }),
      { numRuns: runs(50) },
    );
  });
});

describe('the files of rejects', () => {
  const OLD = [
    'rejects.csv',
    'rejects.csv.why.jsonl',
    'rejects.2.csv',
    'rejects.2.csv.why.jsonl',
  ] as const;

  it('that may be replaced go, all of them, once there are no rejects any more', () => {
    for (const name of [...OLD, 'rejects.3.csv']) writeFileSync(inFolder(name), 'old');
    checkRejects(inFolder('rejects.csv'), true, { inputs: [] });
    const writer = openRejects(inFolder('rejects.csv'), newRun(true));
    writer.finish();
    expect(OLD.every((name) => existsSync(inFolder(name)))).toBe(true);
    writer.close(true);
    expect(OLD.filter((name) => existsSync(inFolder(name)))).toEqual([]);
    expect(read('rejects.3.csv')).toBe('old');
  });

  it('stay as they were until the new ones are whole, and when a run was stopped', () => {
    writeFileSync(inFolder('rejects.csv'), 'old');
    const writer = openRejects(inFolder('rejects.csv'), newRun(true));
    writer.add(reject(csvSource('id\n'), 1, '1'));
    writer.finish();
    expect(read('rejects.csv')).toBe('old');
    writer.close(true);
    expect(read('rejects.csv')).toBe('id\n1\n');
    openRejects(inFolder('rejects.csv'), newRun(true)).close(false);
    expect(read('rejects.csv')).toBe('id\n1\n');
  });

  it('are refused if they or their reasons are there', () => {
    for (const name of ['rejects.csv', 'rejects.csv.why.jsonl']) {
      writeFileSync(inFolder(name), 'old');
      expect(() => checkRejects(inFolder('rejects.csv'), false, { inputs: [] })).toThrow(
        `${name} already exists`,
      );
      rmSync(inFolder(name));
    }
  });

  it('of a higher number are left alone unless rejects may be replaced', () => {
    for (const name of OLD.slice(2)) writeFileSync(inFolder(name), 'old');
    const both = [reject(csvSource('id\n'), 1, '1'), reject(csvSource('x\n'), 2, '2')];
    expect(write(both, 'rejects.csv', newRun())[1]?.file).toBe(inFolder('rejects.3.csv'));
    expect(read('rejects.2.csv')).toBe('old');
    expect(write(both, 'rejects.csv', newRun(true))[1]?.file).toBe(inFolder('rejects.2.csv'));
    expect(existsSync(inFolder('rejects.3.csv'))).toBe(false);
  });

  it('leave alone what somebody makes while the run is sending, and say where they are', () => {
    const writer = openRejects(inFolder('rejects.csv'), newRun());
    writer.add(reject(csvSource('id\n'), 1, '1'));
    writeFileSync(inFolder('rejects.csv'), 'mine');
    writer.finish();
    expect(() => writer.close(true)).toThrow(/created meanwhile.*rejects\.csv\..*\.part/);
    expect(read('rejects.csv')).toBe('mine');
    expect(read(`rejects.csv.${ID}.part`)).toBe('id\n1\n');
  });
});

describe.skipIf(!HAS.fullDisk)('a full disk', () => {
  it('of the reasons is told by the rejects, which name no record that is not in them', async () => {
    symlinkSync('/dev/full', inFolder('r.csv.why.jsonl'));
    const writer = openRejects(inFolder('r.csv'), newRun());
    const big = reject(csvSource('id\n'), 1, '1');
    const problems = [{ kind: 'ragged', field: null, message: 'x'.repeat(300_000) } as const];
    expect(() => writer.add({ ...big, problems })).toThrow(/why\.jsonl can't be written: ENOSPC/);
    expect(writer.close(false)).toEqual([]);
  });

  it('of one file of rejects keeps all of them from getting their names', () => {
    symlinkSync('/dev/full', inFolder('r.2.csv.why.jsonl'));
    const writer = openRejects(inFolder('r.csv'), newRun(true));
    writer.add(reject(csvSource('id\n'), 1, '1'));
    writer.add(reject(csvSource('x\n'), 2, '2'));
    expect(() => writer.finish()).toThrow(/2\.csv\.why\.jsonl can't be written: ENOSPC/);
    writer.abandon();
    expect(existsSync(inFolder('r.csv'))).toBe(false);
    expect(read(`r.csv.${ID}.part`)).toBe('id\n1\n');
    expect(existsSync(inFolder('r.csv.why.jsonl'))).toBe(false);
  });
});
