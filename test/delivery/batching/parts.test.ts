import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partOfBatch } from '../../../src/delivery/batches.js';
import { rangeBytes } from '../../../src/model/documents.js';
import { batchOf, documentsOf } from '../../helpers/documents.js';

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
