import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/api/transport/exchange.js';
import type { Batch } from '../../src/model/documents.js';
import { runs } from '../helpers/runs.js';
import {
  accepted,
  batchFrom,
  batchWith,
  numbersIn,
  refused,
  settledAs,
  simulate,
} from './simulated-service.js';
import { SimulatedTime } from './simulated-time.js';

const WIDTHS = [1, 4, 32, 'auto'] as const;

/** Batches of these sizes; the documents are numbered through. */
function batchesOf(sizes: readonly number[]): Batch[] {
  let first = 0;
  return sizes.map((size) => {
    const batch = batchFrom(first, size);
    first += size;
    return batch;
  });
}

function numbersUpTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}

/** Delivers to a service that answers at once as `answer` says, after a while that varies. */
async function deliverTo(
  answer: (batch: Batch) => Exchange,
  batches: readonly Batch[],
  concurrency: number | 'auto',
) {
  const time = new SimulatedTime(batches.length);
  return await simulate({
    time,
    batches,
    settings: { concurrency },
    service: async (batch) => {
      await time.sleep(5 + 20 * time.random());
      return answer(batch);
    },
  });
}

describe('documents that the service refuses', () => {
  it('are rejected, each of them, however they lie, and no other', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        sizes,
        fc.array(fc.nat(), { maxLength: 12 }),
        fc.constantFrom(...WIDTHS),
        async (sizes, positions, concurrency) => {
          const total = sizes.reduce((sum, size) => sum + size, 0);
          const bad = new Set(positions.map((position) => position % total));
          const { settled } = await deliverTo(
            (batch) =>
              numbersIn(batch).some((number) => bad.has(number))
                ? refused(422, 'published is no date')
                : accepted(batch),
            batchesOf(sizes),
            concurrency,
          );
          expect(settledAs(settled, 'rejected')).toEqual([...bad].toSorted((a, b) => a - b));
          const good = numbersUpTo(total).filter((number) => !bad.has(number));
          expect(settledAs(settled, 'accepted')).toEqual(good);
        },
      ),
      { numRuns: runs(50) },
    );
  });

  it('go in halves ahead of what has not been sent', async () => {
    const { sent } = await deliverTo(
      (batch) => (numbersIn(batch).includes(3) ? refused(400) : accepted(batch)),
      batchesOf([8, 8, 8]),
      1,
    );
    expect(sent.map(({ batch }) => [numbersIn(batch)[0], batch.count])).toEqual([
      [0, 8],
      [0, 4],
      [0, 2],
      [2, 2],
      [2, 1],
      [3, 1],
      [4, 4],
      [8, 8],
      [16, 8],
    ]);
  });
});

describe('a limit that the service does not tell', () => {
  it('is kept to by halves, in documents or bytes, and every document that fits is accepted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 12 }),
        fc.oneof(
          fc.record({ documents: fc.integer({ min: 1, max: 250 }) }),
          fc.record({ bytes: fc.integer({ min: 12, max: 2_000 }) }),
        ),
        fc.constantFrom(...WIDTHS),
        async (sizes, limit, concurrency) => {
          const { documents = Infinity, bytes = Infinity } = limit as Record<string, number>;
          const { settled, result } = await deliverTo(
            (batch) =>
              batch.count > documents || batch.bytes > bytes ? refused(413) : accepted(batch),
            batchesOf(sizes),
            concurrency,
          );
          const total = sizes.reduce((sum, size) => sum + size, 0);
          expect(settledAs(settled, 'accepted')).toEqual(numbersUpTo(total));
          expect(result.retries).toBe(result.requests - sizes.length);
        },
      ),
    );
  });

  it('rejects a document alone that is too large for it, and keeps others together', async () => {
    const large = 1e21;
    const { settled, sent } = await deliverTo(
      (batch) => (numbersIn(batch).includes(large) ? refused(413, 'too large') : accepted(batch)),
      [batchWith([...numbersUpTo(63), large]), ...batchesOf(Array.from({ length: 20 }, () => 64))],
      1,
    );
    expect(settledAs(settled, 'rejected')).toEqual([1e21]);
    expect(sent.slice(-20).every(({ batch }) => batch.count === 64)).toBe(true);
  });
});
