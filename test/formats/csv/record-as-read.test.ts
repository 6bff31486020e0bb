import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SourceOptions } from '../../../src/formats/options.js';
import { recordAsRead } from '../../../src/formats/read-records.js';
import { SourceError } from '../../../src/model/errors.js';
import type { Problem } from '../../../src/model/record.js';
import { REJECT_COLUMNS } from '../../../src/model/reject-columns.js';
import { openRejects, type RejectsReport } from '../../../src/report/rejects/rejects.js';
import { newFolder } from '../../helpers/files.js';
import { runs } from '../../helpers/runs.js';
import { workbookOfTexts } from '../../helpers/workbook.js';
import { writeTable } from '../../input/csv-oracle.js';
import { inPieces, type ReadSource, readAll } from '../../input/read-all.js';
import { tables } from '../../input/tables.js';

const problems: readonly Problem[] = [
  { kind: 'schema', field: null, message: 'a "b", c; d | e\tf\n\\g \'h\' é' },
];

const runOf = (id: string) => ({ id, mayReplace: false });

/** Rejects all that was read, in the name of a run. */
async function rejectAll(read: ReadSource, id: string): Promise<readonly RejectsReport[]> {
  const { source, chunks } = read;
  const writer = openRejects(path.join(newFolder(), 'r.csv'), runOf(id));
  for (const chunk of chunks) {
    for (let index = 0; index < chunk.records; index += 1) {
      const record = chunk.position.record + index;
      const place = { source: source.name, record, line: null };
      writer.add({ source, place, outcome: 'rejected', problems, ...recordAsRead(chunk, index) });
    }
  }
  writer.finish();
  return writer.close(true);
}

async function readText(text: string | Buffer, options: SourceOptions = {}): Promise<ReadSource> {
  return await readAll(inPieces(Buffer.from(text), 50), { format: 'csv', ...options });
}

async function readFile({ file }: RejectsReport, options: SourceOptions = {}): Promise<ReadSource> {
  return await readText(readFileSync(file), options);
}

function fieldsOf({ records }: ReadSource): readonly (readonly string[])[] {
  return records.map(({ value, problem }) => {
    if (!Array.isArray(value)) throw new Error(problem?.message);
    return value as string[];
  });
}

/** Seed 1968228322: there is not even a header in it. */
const NOTHING_IN_IT = {
  delimiter: '\t',
  finalLineEnd: false,
  quote: '"',
  escape: '\\',
  rows: [['', '']],
  quoted: [[false, false]],
  lineEnds: ['\n'],
  before: [[]],
};

/** Seed -1451994663: a tab behind an empty field is no field that begins with a tab. */
const EMPTY_BEFORE_TAB = {
  ...NOTHING_IN_IT,
  escape: '"',
  rows: [
    ['a', 'b'],
    ['', ''],
  ],
  quoted: [
    [false, false],
    [false, false],
  ],
  lineEnds: ['\n', '\r\n'],
  before: [[], []],
};

/** Seed -593768478: rows without values come before the header, also in the rejects. */
const BLANK_ROWS_BEFORE = {
  ...NOTHING_IN_IT,
  escape: '"',
  rows: [
    ['', ''],
    ['', ''],
    ['a', 'a'],
    ['', ''],
  ],
  quoted: Array.from({ length: 4 }, () => [false, false]),
  lineEnds: Array<string>(4).fill('\n'),
  before: Array.from({ length: 4 }, () => []),
};

/** A header that is written anew, in which a name is the mark that escapes quotes. Seed 1477363995. */
const MARK_IN_HEADER = {
  ...NOTHING_IN_IT,
  delimiter: ',',
  escape: '\\',
  rows: [
    ['', 'a', '\\', "'\ra"],
    ['', '', '', ''],
  ],
  quoted: Array.from({ length: 2 }, () => Array<boolean>(4).fill(false)),
  lineEnds: ['\n', '\n'],
  before: [[], []],
};

describe('rejected records', () => {
  it('are recognised when they are read again, and once more, with what they held', async () => {
    const property = fc.asyncProperty(tables, async (table) => {
      const { delimiter, quote, escape: mark } = table;
      const options = { delimiter, quote, escape: mark, comment: '#', encoding: 'utf-8' };
      const { text } = writeTable(table);
      const read = await readText(text, options).catch((error: unknown) => {
        if (error instanceof SourceError) return undefined;
        throw error;
      });
      // A table with nothing in it is refused, or has no records.
      if (read === undefined || read.records.length === 0) return;
      const own = fieldsOf(read);
      const count = own[0]?.length ?? 0;
      let origins = read.records.map(() => '');
      let last = read;
      for (const run of ['run-1', 'run-2', 'run-3']) {
        const before = last;
        const files = await rejectAll(before, run);
        expect(files).toHaveLength(1);
        last = await readFile(files[0] as RejectsReport, options);
        const { columns } = before.source.detected;
        expect(last.source.layout).toMatchObject({ columns, header: 'rejects' });
        expect(fieldsOf(last).map((fields) => fields.slice(0, count))).toEqual(own);
        origins = origins.map((origin, index) => `${origin} ${run}:1:${index + 1}`.trim());
        expect(fieldsOf(last).map((fields) => fields.slice(count))).toEqual(
          origins.map((origin) => ['rejected', expect.stringMatching(/^schema: a /), origin]),
        );
      }
    });
    await fc.assert(property, {
      numRuns: runs(100),
      examples: [[NOTHING_IN_IT], [EMPTY_BEFORE_TAB], [BLANK_ROWS_BEFORE], [MARK_IN_HEADER]],
    });
  });

  it('keep their bytes, and get columns behind them', async () => {
    const text = 'made by x\r\nid ;"te;xt"\r\n1;"a ""b""\n c"\r\n2; d\n';
    const [file] = await rejectAll(await readText(text, { skipLines: 1 }), 'run-1');
    const reasons = `;rejected;"schema: a ""b"", c; d | e f \\g 'h' é";`;
    expect(readFileSync(file?.file ?? '', 'utf8')).toBe(
      [
        `made by x\r\nid ;"te;xt";${REJECT_COLUMNS.join(';')}\r\n`,
        `1;"a ""b""\n c"${reasons}run-1:1:1\r\n`,
        `2; d${reasons}run-1:1:2\r\n`,
      ].join(''),
    );
  });

  it('with a wrong number of fields stand apart as they were, so that fixed they fit', async () => {
    const ragged = '1,a,b,c,d\n2\n';
    const files = await rejectAll(await readText(`id,text\n${ragged}3,e\n`), 'run-1');
    const texts = files.map(({ file }) => readFileSync(file, 'utf8'));
    expect(texts[0]).toBe(`id,text\n${ragged}`);
    expect(texts[1]).toMatch(/^id,text,docferry_outcome,.*\n3,e,rejected,/);
  });

  it('get columns in the encoding of their source, as far as that can say it', async () => {
    const bytes = Buffer.from('id,text\n1,caf\xe9\n', 'latin1');
    const read = await readText(bytes, { encoding: 'iso-8859-2' });
    const source = { ...read.source };
    const writer = openRejects(path.join(newFolder(), 'r.csv'), runOf('run-1'));
    const [chunk] = read.chunks;
    const place = { source: 'r', record: 1, line: 2 };
    const why = [{ kind: 'schema', field: null, message: 'é and 日' } as const];
    const record = recordAsRead(chunk as NonNullable<typeof chunk>, 0);
    writer.add({ source, place, outcome: 'invalid', problems: why, ...record });
    writer.finish();
    const [file] = writer.close(true);
    const written = readFileSync(file?.file ?? '').toString('latin1');
    expect(written).toContain('\n1,caf\xe9,invalid,"schema: \xe9 and ?",run-1:1:1\n');
  });
});

describe('the byte order mark', () => {
  it('of a source begins its rejects, in any encoding and format', async () => {
    const csv = await rejectAll(await readText('\ufeffid,text\n1,a\n'), 'run-1');
    expect(readFileSync(csv[0]?.file ?? '', 'utf8')).toMatch(/^\ufeffid,text,docferry_outcome/);
    const lines = await readAll(inPieces(Buffer.from('\ufeff{"id":1}\n'), 9));
    const [jsonl] = await rejectAll(lines, 'run-1');
    expect(readFileSync(jsonl?.file ?? '', 'utf8')).toBe('\ufeff{"id":1}\n');
    const utf16 = Buffer.from('\ufeffid,text\n1,a\n', 'utf16le');
    const [two] = await rejectAll(await readText(utf16), 'run-1');
    expect(readFileSync(two?.file ?? '', 'utf16le')).toMatch(/^\ufeffid,text/);
    const [none] = await rejectAll(await readText('id,text\n1,a\n'), 'run-1');
    expect(readFileSync(none?.file ?? '', 'utf8')).toMatch(/^id,text/);
  });
});

describe('columns of rejects', () => {
  it.each([
    'id,docferry_origin',
    'docferry_outcome,docferry_problems,id',
    'docferry_outcome,docferry_problems,docferry_origin',
  ])("are a source's own when they are not all three, beside others: %s", async (header) => {
    const row = header.replaceAll(/[^,]+/g, 'x');
    const read = await readText(`${header}\n${row}\n`);
    expect(read.source.layout).toMatchObject({ columns: header.split(','), header: 'plain' });
    expect(fieldsOf(read)).toEqual([row.split(',')]);
  });

  it('may be those of a workbook, which is what a spreadsheet makes of rejects', async () => {
    const cells = [
      ['id', 'text', ...REJECT_COLUMNS],
      ['1', "'=a", 'invalid', 'why', 'run-1:1:4'],
      ['2', "'b", 'invalid', 'why', 'run-1:1:5'],
    ];
    const read = await readAll(inPieces(await workbookOfTexts(cells), 999));
    expect(read.source.layout).toMatchObject({ columns: ['id', 'text'], header: 'rejects' });
    expect(fieldsOf(read)).toEqual([
      ['1', '=a', 'invalid', 'why', 'run-1:1:4'],
      ['2', "'b", 'invalid', 'why', 'run-1:1:5'],
    ]);
    const [chunk] = read.chunks;
    expect(recordAsRead(chunk as NonNullable<typeof chunk>, 1).rejectRefs).toEqual([
      { run: 'run-1', input: 0, record: 5 },
    ]);
    const [again] = await rejectAll(read, 'run-2');
    const lines = readFileSync(again?.file ?? '', 'utf8').split('\n');
    expect(lines[0]).toBe(`\ufeffid,text,${REJECT_COLUMNS.join(',')}`);
    expect(lines[1]).toMatch(/^1,'=a,rejected,.*,"run-1:1:4 run-2:1:1"$/);
  });
});
