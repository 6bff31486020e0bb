import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutBatches } from '../../../src/delivery/batching/cut-batches.js';
import { RequestEstimate } from '../../../src/delivery/batching/estimate-requests.js';
import type { DocumentRange } from '../../../src/model/documents.js';
import { documentsOf } from '../../helpers/documents.js';
import { runs } from '../../helpers/runs.js';

const ENVELOPE = '{"documents":[]}'.length;

describe('the estimate of requests', () => {
  it('says what cutting the same documents into batches comes to', async () => {
    const sizes = fc.array(
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 9 }),
    );
    const limits = fc.record({
      documents: fc.integer({ min: 1, max: 8 }),
      bytes: fc.integer({ min: 1, max: 160 }),
    });
    await fc.assert(
      fc.asyncProperty(sizes, limits, async (chunks, bounds) => {
        const ranges = chunks.map((lengths): DocumentRange => {
          const documents = documentsOf(lengths.map((length) => ({ text: 'x'.repeat(length) })));
          return { documents, from: 0, to: lengths.length };
        });
        const estimate = new RequestEstimate(bounds);
        for (const range of ranges) estimate.add(range);
        const bodies: number[] = [];
        for await (const { bytes } of cutBatches(each(ranges), bounds))
          bodies.push(bytes + ENVELOPE);
        expect(estimate.figures()).toEqual({
          count: bodies.length,
          bytes: bodies.reduce((sum, bytes) => sum + bytes, 0),
          largest: Math.max(0, ...bodies),
        });
      }),
      { numRuns: runs(200) },
    );
  });
});

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
