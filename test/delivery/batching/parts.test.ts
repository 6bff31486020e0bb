import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutBatch, partOfBatch } from '../../../src/delivery/batches.js';
import { type Batch, rangeBytes } from '../../../src/model/documents.js';
import { batchOf, documentsOf } from '../../helpers/documents.js';
import { numbersIn } from '../simulated-service.js';

/** A batch over several chunks, of which it leaves documents out. */
const batches = fc
  .array(
    fc.record({ before: fc.nat(3), count: fc.integer({ min: 1, max: 20 }), after: fc.nat(3) }),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((pieces): Batch => {
    const ranges = pieces.map(({ before, count, after }, piece) => {
      const numbers = Array.from({ length: before + count + after }, (_, at) => 100 * piece + at);
      return {
        documents: documentsOf(numbers.map((n) => ({ n }))),
        from: before,
        to: before + count,
      };
    });
    return { ranges, ...sizeOf({ ranges }) };
  });

/** As it is on the wire. */
function sizeOf({ ranges }: Pick<Batch, 'ranges'>): { count: number; bytes: number } {
  const numbers = ranges.flatMap((range) => numbersIn({ ranges: [range], count: 0, bytes: 0 }));
  return { count: numbers.length, bytes: JSON.stringify(numbers.map((n) => ({ n }))).length - 2 };
}

describe('cutBatch', () => {
  it('keeps every document once, in order, in parts that differ by one at most', () => {
    fc.assert(
      fc.property(batches, fc.nat(), (batch, number) => {
        const parts = cutBatch(batch, 1 + (number % batch.count));
        expect(parts).toHaveLength(1 + (number % batch.count));
        expect(parts.flatMap(numbersIn)).toEqual(numbersIn(batch));
        for (const part of parts) expect(part).toMatchObject(sizeOf(part));
        const counts = parts.map(({ count }) => count);
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

/** Two chunks' documents, of which a batch takes the end of one and the start of the other. */
const first = documentsOf(Array.from({ length: 5 }, (_, id) => ({ sourceId: `a${id}` })));
const second = documentsOf(Array.from({ length: 6 }, (_, id) => ({ sourceId: `b${id}`, more: 1 })));
const twoChunks = batchOf(
  { documents: first, from: 2, to: 5 },
  { documents: second, from: 0, to: 2 },
  { documents: second, from: 3, to: 6 },
);
const ids = ['a2', 'a3', 'a4', 'b0', 'b1', 'b3', 'b4', 'b5'];

describe('partOfBatch', () => {
  it('holds the documents that are asked for, in order, and counts their bytes', () => {
    fc.assert(
      fc.property(fc.subarray(ids.map((_, index) => index)), (indexes) => {
        const part = partOfBatch(twoChunks, indexes);
        const body = `[${part.ranges.map((range) => Buffer.from(rangeBytes(range)).toString()).join(',')}]`;
        const sent = (JSON.parse(body) as { sourceId: string }[]).map(({ sourceId }) => sourceId);
        expect(sent).toEqual(indexes.map((index) => ids[index]));
        expect(part.count).toBe(indexes.length);
        expect(part.bytes).toBe(body.length - 2);
      }),
    );
  });

  it('is the batch itself, range by range, when all are asked for', () => {
    expect(partOfBatch(twoChunks, [...ids.keys()])).toEqual(twoChunks);
  });
});
