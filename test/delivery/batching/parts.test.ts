import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutBatch, partOfBatch } from '../../../src/delivery/batching/parts.js';
import { SizeLimit } from '../../../src/delivery/batching/size-limit.js';
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

describe('SizeLimit', () => {
  it('leaves batches as they are until one is refused', () => {
    fc.assert(
      fc.property(batches, (batch) => {
        expect(new SizeLimit().fit(batch)).toEqual([batch]);
      }),
    );
  });

  it('cuts batches so that each part keeps to one of the limits, or holds one document', () => {
    const sizes = fc.record({
      count: fc.integer({ min: 2, max: 60 }),
      bytes: fc.integer({ min: 2, max: 900 }),
    });
    fc.assert(
      fc.property(batches, sizes, (batch, refused) => {
        const limit = new SizeLimit();
        limit.refused(refused);
        const parts = limit.fit(batch);
        expect(parts.flatMap(numbersIn)).toEqual(numbersIn(batch));
        for (const { count, bytes } of parts) {
          const small = count <= refused.count / 2 || bytes <= refused.bytes / 2;
          expect(count === 1 || small).toBe(true);
        }
      }),
    );
  });

  it('finds out which of the two is counted', () => {
    const limit = new SizeLimit();
    limit.accepted({ count: 50, bytes: 1_000 });
    // No more documents than were accepted, so it must have been the bytes.
    limit.refused({ count: 40, bytes: 3_000 });
    const documents = documentsOf(Array.from({ length: 400 }, () => ({ n: 1 })));
    const batch = { ranges: [{ documents, from: 0, to: 400 }], count: 400, bytes: 400 * 8 - 1 };
    expect(limit.fit(batch).map(({ count }) => count)).toEqual([133, 133, 134]);
  });

  it('takes nothing from one document that is refused alone', () => {
    const limit = new SizeLimit();
    limit.refused({ count: 1, bytes: 10 });
    const documents = documentsOf([{ n: 1 }, { n: 2 }]);
    const batch = { ranges: [{ documents, from: 0, to: 2 }], count: 2, bytes: 15 };
    expect(limit.fit(batch)).toEqual([batch]);
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
