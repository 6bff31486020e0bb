import { describe, expect, it } from 'vitest';
import { parseChunk } from '../../src/formats/read-records.js';
import type { BytesChunk, Layout } from '../../src/model/chunk.js';

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

describe('a CSV chunk', () => {
  it('is never misnumbered in silence', () => {
    expect(() => parseChunk(chunk(CSV, '1,a\n2,b\n', 3))).toThrow(/2 records, but cut as 3/);
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
});
