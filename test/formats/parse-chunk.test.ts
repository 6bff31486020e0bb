import { describe, expect, it } from 'vitest';
import { parseChunk } from '../../src/formats/formats.js';
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

  it('parses bytes that came from another thread', () => {
    const one = structuredClone(chunk(CSV, '1,a', 1));
    expect(parseChunk(one).map(({ value }) => value)).toEqual([['1', 'a']]);
  });
});
