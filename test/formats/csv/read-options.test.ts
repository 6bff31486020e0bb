/** Options for what people ask of every importer, and what spreadsheets write around values. */
import { describe, expect, it } from 'vitest';
import type { SourceOptions } from '../../../src/formats/options.js';
import { workbookOfTexts } from '../../helpers/workbook.js';
import { inPieces, type ReadSource, readAll, values } from '../../input/read-all.js';

async function read(text: string | Buffer, options: SourceOptions = {}): Promise<ReadSource> {
  return await readAll(inPieces(Buffer.from(text), 50), options);
}

describe('values that stand for nothing (nulls)', () => {
  const nulls = ['NULL', 'N/A', '\\N', null, -1];

  it('are empty in CSV', async () => {
    const text = 'id,text,stars\nNULL, N/A ,"\\N"\nnull,not N/A,-1\n';
    expect(values(await read(text, { nulls }))).toEqual([
      ['', '', ''],
      ['', 'not N/A', ''],
    ]);
    expect(values(await read(text))).toEqual([
      ['NULL', ' N/A ', '\\N'],
      ['null', 'not N/A', '-1'],
    ]);
  });

  it('are empty in workbooks and in JSON, at any depth', async () => {
    const workbook = await workbookOfTexts([
      ['id', 'text'],
      ['1', 'N/A'],
    ]);
    expect(values(await read(workbook, { nulls }))).toEqual([['1', '']]);
    const lines = '{"id":1,"a":{"b":["N/A","x",-1]},"c":"NULL","d":null}\n';
    expect(values(await read(lines, { nulls }))).toEqual([
      { id: 1, a: { b: ['', 'x', ''] }, c: '', d: null },
    ]);
  });
});

describe('rows with another number of fields than the header', () => {
  const pad = { ragged: 'pad', delimiter: ',' } as const;

  it('may lack their last fields, or have empty ones behind the last column, with ragged: pad', async () => {
    const text = 'id,text,date\n1,good\n2\n3,a,2024-01-02,,\n4,b,2024-01-02\n';
    expect(values(await read(text, pad))).toEqual([
      ['1', 'good', ''],
      ['2', '', ''],
      ['3', 'a', '2024-01-02'],
      ['4', 'b', '2024-01-02'],
    ]);
    const { records } = await read('id,text\n1,a,b\n', pad);
    expect(records[0]?.problem?.message).toMatch(/3 fields where the header has 2 columns/);
  });

  it('say what cures them without it', async () => {
    const { records } = await read('id,text,date\n1,good\n2,a,2024-01-02,\n', {
      delimiter: ',',
    });
    expect(records.map(({ problem }) => problem?.message)).toEqual([
      expect.stringMatching(/^2 fields.*`ragged: pad` under input/),
      expect.stringMatching(/^4 fields.*`ragged: pad` under input/),
    ]);
    const [more] = (await read('id,text\n1,a,b\n', { delimiter: ',' })).records;
    expect(more?.problem?.message).not.toMatch(/pad/);
  });
});

describe('what spreadsheets write', () => {
  it.each(['sep=;', '"sep=;"', 'SEP=;\r'])(
    'names the delimiter in a line of its own: %j',
    async (line) => {
      const { source, records } = await read(`\ufeff${line}\nid;text\n1;a,b\n`);
      expect(source.layout).toMatchObject({ columns: ['id', 'text'], dialect: { delimiter: ';' } });
      expect(records).toEqual([{ record: 1, line: 3, value: ['1', 'a,b'] }]);
      expect(Buffer.from(source.head).toString()).toBe(`${line}\nid;text\n`);
    },
  );

  it('is unwrapped where a formula keeps a text from becoming a number', async () => {
    const text = '="id",text\n="00123","=""0,5"""\n"=""a""""b""",say ="x"\n=1+1,="a"&"b"\n';
    const { source, ...others } = await read(text);
    expect(source.layout.columns).toEqual(['id', 'text']);
    expect(values({ source, ...others })).toEqual([
      ['00123', '0,5'],
      ['a"b', 'say ="x"'],
      ['=1+1', '="a"&"b"'],
    ]);
  });
});
