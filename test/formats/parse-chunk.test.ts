import { describe, expect, it } from 'vitest';
import { parseChunk } from '../../src/formats/records.js';
import type { BytesChunk, Chunk, Layout } from '../../src/model/chunk.js';
import type { UndecodableText } from '../../src/model/record.js';

const CSV: Layout = {
  format: 'csv',
  dialect: { delimiter: ',', quote: '"', escape: '"', comment: null },
  columns: ['id', 'text'],
  header: 'plain',
};

function chunk(layout: Layout, content: string | Uint8Array, records: number): BytesChunk {
  return {
    kind: 'bytes',
    source: 'reviews',
    input: 0,
    layout,
    position: { byte: 0, record: 1, line: 1 },
    records,
    bytes: Buffer.from(content as string),
  };
}

function outcome(of: Chunk): unknown[] {
  return parseChunk(of).map(({ value, problem }) => value ?? problem);
}

describe('a CSV chunk', () => {
  it('gives its rows, and a problem for each with too few or too many fields', () => {
    const [good, less, more] = outcome(chunk(CSV, '1,a\n2\n3,b,c\n', 3));
    expect(good).toEqual(['1', 'a']);
    expect(less).toMatchObject({ kind: 'ragged', field: null });
    expect(less).toHaveProperty('message', expect.stringMatching(/has 1 field where .* 2 columns/));
    expect(more).toHaveProperty('message', expect.stringMatching(/has 3 fields .*not quoted/));
  });

  it('tells records with invalid UTF-8 from the others, and names column and byte', () => {
    const bytes = Buffer.concat([
      Buffer.from('1,caf\u00e9 \u{1f600}\n2,'),
      Buffer.from('caf\u00e9', 'latin1'),
      Buffer.from('\n3,\ufffd is real\n'),
    ]);
    const [first, second, third] = outcome(chunk(CSV, bytes, 3));
    expect(first).toEqual(['1', 'caf\u00e9 \u{1f600}']);
    const [id, text] = second as [string, UndecodableText];
    expect([id, String(text), text.bytes]).toEqual(['2', 'caf\ufffd', '0xE9 at byte 18']);
    expect(text.message).toMatch(/not UTF-8, but would be \u00e9 in windows-1252/);
    expect(third).toEqual(['3', '\ufffd is real']);
  });

  it('is never misnumbered in silence', () => {
    expect(() => parseChunk(chunk(CSV, '1,a\n2,b\n', 3))).toThrow(/2 records, but cut as 3/);
  });

  it('parses bytes that came from another thread', () => {
    const one = structuredClone(chunk(CSV, '1,a', 1));
    expect(outcome(one)).toEqual([['1', 'a']]);
  });
});

describe('a chunk of JSON Lines', () => {
  const LINES: Layout = { format: 'jsonl' };

  it('says in plain words what is wrong with a line', () => {
    const lines = ['{"a":1,}', "{'a':1}", '[1]', '"x"', 'null', '{"a":1} x', '{"a":\u00a01}'];
    const problems = outcome(chunk(LINES, lines.join('\n'), lines.length));
    expect(problems.map((problem) => (problem as { kind: string }).kind)).toEqual([
      ...['not-json', 'not-json', 'not-an-object', 'not-an-object', 'not-an-object'],
      ...['not-json', 'not-json'],
    ]);
    expect(problems[0]).toHaveProperty('message', expect.stringContaining('at character 8 of the'));
    expect(problems[2]).toHaveProperty('message', expect.stringContaining('a list'));
  });

  it('keeps every digit of integers that a number cannot hold', () => {
    const line =
      '{"id":12345678901234567890,"n":[-9007199254740993],"k":9007199254740991,"f":0.12345678901234567,"a":1,"a":2}';
    expect(outcome(chunk(LINES, line, 1))).toEqual([
      {
        ...{ id: '12345678901234567890', n: ['-9007199254740993'], k: 9007199254740991 },
        ...{ f: Number('0.12345678901234567'), a: 2 },
      },
    ]);
  });

  it('tells lines with invalid UTF-8 from the others', () => {
    const bytes = Buffer.from('{"a":"\u00e9"}\n{"a":"b"}', 'latin1');
    const [first, second] = outcome(chunk(LINES, bytes, 2));
    expect((first as { a: UndecodableText }).a.bytes).toBe('0xE9 at byte 6');
    expect(second).toEqual({ a: 'b' });
  });
});

describe('other chunks', () => {
  const base = { source: 'records', input: 0, position: { byte: 0, record: 1, line: 1 } } as const;

  it('of objects give the objects, and a problem for what is none', () => {
    const objects = [{ a: 1 }, 'text', [1], null, new Date(), Object.create(null), undefined];
    const layout: Layout = { format: 'objects' };
    const parsed = parseChunk({ ...base, kind: 'objects', layout, records: 7, objects });
    expect(parsed.map(({ problem }) => problem?.kind ?? 'fine')).toEqual([
      ...['fine', 'not-an-object', 'not-an-object', 'not-an-object', 'not-an-object', 'fine'],
      'not-an-object',
    ]);
  });

  it('that are broken give their problem', () => {
    const problem = { kind: 'unclosed-quote', message: 'is never closed' } as const;
    const bytes = Buffer.from('"a');
    expect(outcome({ ...base, kind: 'broken', layout: CSV, records: 1, bytes, problem })).toEqual([
      { ...problem, field: null },
    ]);
  });
});
