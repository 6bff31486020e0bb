import { describe, expect, it } from 'vitest';
import { parseChunk } from '../../src/formats/formats.js';
import type { BytesChunk, Chunk, Layout } from '../../src/model/chunk.js';

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
  it('is never misnumbered in silence', () => {
    expect(() => parseChunk(chunk(CSV, '1,a\n2,b\n', 3))).toThrow(/2 records, but cut as 3/);
  });

  it('parses bytes that came from another thread', () => {
    const one = structuredClone(chunk(CSV, '1,a', 1));
    expect(outcome(one)).toEqual([['1', 'a']]);
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
