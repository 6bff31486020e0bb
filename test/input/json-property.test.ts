import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CODE_POINT } from '../helpers/code-point.js';
import { runs } from '../helpers/runs.js';
import { lineOf } from './csv-oracle.js';
import { inPieces, readAll, values } from './read-all.js';

const sizes = fc.record({
  chunkBytes: fc.integer({ min: 64, max: 300 }),
  piece: fc.integer({ min: 1, max: 90 }),
});
const objects = fc
  .array(
    fc.dictionary(
      fc.string({ unit: CODE_POINT, maxLength: 5 }).filter((key) => key !== '__proto__'),
      fc.jsonValue({ maxDepth: 2 }),
      { maxKeys: 4 },
    ),
    { maxLength: 12 },
  )
  .map(withSafeIntegers);
const indents = fc.constantFrom<string | number | undefined>(undefined, 1, 4, '\t');
const lineEnds = fc.constantFrom('\n', '\r\n', '\r');

describe('a JSON document cut anywhere', () => {
  it('gives the elements of its list at the top', async () => {
    await fc.assert(
      fc.asyncProperty(objects, indents, sizes, async (list, indent, { chunkBytes, piece }) => {
        const text = JSON.stringify(list, null, indent);
        const read = await readAll(inPieces(Buffer.from(text), piece), { chunkBytes });
        expect(values(read)).toEqual(JSON.parse(text));
        expect(read.error).toBeUndefined();
      }),
      { numRuns: runs(400) },
    );
  });

  it('gives the elements of a list at a path, with their lines', async () => {
    await fc.assert(
      fc.asyncProperty(
        ...([objects, indents, sizes, lineEnds, fc.jsonValue()] as const),
        async (list, indent, { chunkBytes, piece }, lineEnd, other) => {
          const value = { other, pages: [{ n: '"]}' }, { reviews: list, more: [other] }], last: 1 };
          const text = JSON.stringify(value, null, indent).replaceAll('\n', lineEnd);
          const options = { chunkBytes, records: 'pages[1].reviews' };
          const read = await readAll(inPieces(Buffer.from(text), piece), options);
          expect(values(read)).toEqual((JSON.parse(text) as typeof value).pages[1]?.reviews);
          expect(read.error).toBeUndefined();
          for (const chunk of read.chunks) {
            const before = Buffer.from(text).subarray(0, chunk.position.byte).toString();
            expect(chunk.position.line).toBe(lineOf(before));
          }
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it('passes by an element that is too long', async () => {
    const long = JSON.stringify({ text: `\n],}"\\${'x'.repeat(5000)}` });
    const text = `[{"n":1},\n${long},\n{"n":2},${long}]`;
    const options = { chunkBytes: 64, maxRecordBytes: 100 };
    const read = await readAll(inPieces(Buffer.from(text), 50), options);
    expect(read.records.map(({ value, problem }) => value ?? problem?.kind)).toEqual([
      { n: 1 },
      'too-long',
      { n: 2 },
      'too-long',
    ]);
    expect(read.records.map(({ line }) => line)).toEqual([1, 2, 3, 3]);
    expect(read.error).toBeUndefined();
  });
});

describe('values one after another, cut anywhere', () => {
  it('are records, with their lines', async () => {
    const separators = fc.constantFrom('', ' ', '\n', '\r\n\r\n', '\n\x1e');
    const values_ = fc.array(fc.jsonValue({ maxDepth: 2 }), { minLength: 2, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        ...([values_, indents, separators, lineEnds, sizes] as const),
        async (list, indent, separator, lineEnd, { chunkBytes, piece }) => {
          const records = list.map((value, n) => withSafeIntegers({ n, value }));
          const texts = records.map((one) =>
            JSON.stringify(one, null, indent).replaceAll('\n', lineEnd),
          );
          const bytes = Buffer.from(texts.join(separator));
          const read = await readAll(inPieces(bytes, piece), { format: 'json', chunkBytes });
          expect(values(read)).toEqual(records.map((one) => JSON.parse(JSON.stringify(one))));
          expect(read.error).toBeUndefined();
          const lines = texts.map((_, at) =>
            lineOf(texts.slice(0, at).concat('').join(separator).replaceAll('\x1e', '')),
          );
          expect(read.records.map(({ line }) => line)).toEqual(lines);
        },
      ),
      { numRuns: runs(300) },
    );
  });
});

describe('JSON Lines cut anywhere', () => {
  it('give one record a line', async () => {
    await fc.assert(
      fc.asyncProperty(objects, lineEnds, sizes, async (list, lineEnd, { chunkBytes, piece }) => {
        const lines = list.flatMap((one, index) => [
          ...(index % 3 === 0 ? ['', ' \t'] : []),
          JSON.stringify(one),
        ]);
        const bytes = Buffer.from(`\ufeff${lines.join(lineEnd)}`);
        const read = await readAll(inPieces(bytes, piece), { format: 'jsonl', chunkBytes });
        expect(values(read)).toEqual(list.map((one) => JSON.parse(JSON.stringify(one))));
        const expected = lines.flatMap((line, at) => (line.trim() === '' ? [] : [at + 1]));
        expect(read.records.map(({ line }) => line)).toEqual(expected);
      }),
      { numRuns: runs(300) },
    );
  });
});

/** Integers that a number can't hold are kept as text: that is tested where lines are parsed. */
function withSafeIntegers<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
    Number.isInteger(inner) && !Number.isSafeInteger(inner) ? 1 : inner,
  ) as T;
}
