import { describe, expect, it } from 'vitest';
import type { SourceOptions } from '../../src/formats/options.js';
import { longTest } from '../helpers/runs.js';
import { inPieces, readAll } from './read-all.js';

async function outcomes(text: string, options: SourceOptions = {}): Promise<unknown[]> {
  const all: unknown[][] = [];
  for (const piece of [1, 10_000]) {
    const given = { format: 'csv', delimiter: ',', quote: '"', ...options } as const;
    const read = await readAll(inPieces(Buffer.from(text), piece), given);
    expect(read.error).toBeUndefined();
    all.push(read.records.map(({ line, value, problem }) => [line, value ?? problem?.kind]));
  }
  expect(all[0]).toEqual(all[1]);
  return all[0] as unknown[];
}

describe('a broken record', () => {
  it('is limited in size: a quote that stays open longer costs its line', async () => {
    const text = `id,text\n1,"open\n${'2,b\n'.repeat(40)}3,"c"\n`;
    const found = await outcomes(text, { maxRecordBytes: 64, chunkBytes: 64 });
    expect(found).toHaveLength(42);
    expect(found[0]).toEqual([2, 'unclosed-quote']);
    expect(found[41]).toEqual([43, ['3', 'c']]);
  });

  it('that is too long is passed by, keeping its start', async () => {
    const long = 'x'.repeat(3000);
    const text = `id,text\r\n1,${long}\r\n2,b\r\n3,"${long}"\r\n4,d`;
    const options = { maxRecordBytes: 100, chunkBytes: 64 };
    expect(await outcomes(text, options)).toEqual([
      [2, 'too-long'],
      [3, ['2', 'b']],
      [4, 'too-long'],
      [5, ['4', 'd']],
    ]);
    const { chunks } = await readAll(inPieces(Buffer.from(text), 7), options);
    const broken = chunks.filter((chunk) => chunk.kind === 'broken');
    expect(broken.map(({ bytes }) => bytes.length)).toEqual([100, 100]);
  });

  longTest('costs time in proportion to the file, even if every line is one', async () => {
    const lines = Array.from({ length: 60_000 }, (_, n) => `${n},"a" b\n${n},"c`).join('\n');
    const read = await readAll(inPieces(Buffer.from(`id,text\n${lines}`), 100_000), {
      ...{ format: 'csv', delimiter: ',', quote: '"' },
    });
    expect(read.records).toHaveLength(120_000);
    expect(read.records.every(({ problem }) => problem !== undefined)).toBe(true);
  });
});
