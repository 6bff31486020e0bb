import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../helpers/runs.js';
import { importInto, STORES } from './simulated-delivery.js';
import { SimulatedTime } from './simulated-time.js';

/** A reading that failed beside one that decided: the run ended as if the service were down. */
const FAILED_ONCE = [
  { sizes: [1], badShare: 0.02 as const, stores: 'none' as const, seed: 0, lagShare: 0 },
  { lostAnswers: 0 as const, lostRequests: 0.3 as const, failingPages: 0.9 as const },
] satisfies [object, object];

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}

const worlds = fc.record({
  sizes: fc.array(fc.integer({ min: 1, max: 24 }), { minLength: 1, maxLength: 6 }),
  badShare: fc.constantFrom(0.02, 0.1, 0.5, 1),
  stores: fc.constantFrom(...(Object.keys(STORES) as (keyof typeof STORES)[])),
  seed: fc.nat(),
  lagShare: fc.double({ min: 0, max: 0.9, noNaN: true }),
});

/** Which documents are bad: as many as the share says, at least one. */
function badOf(total: number, share: number, seed: number): ReadonlySet<number> {
  const time = new SimulatedTime(seed);
  const bad = upTo(total).filter(() => time.random() < share);
  return new Set(bad.length > 0 ? bad : [Math.floor(time.random() * total)]);
}

function times(numbers: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const n of numbers) counts.set(n, (counts.get(n) ?? 0) + 1);
  return counts;
}

describe('a service that refuses batches, and may have stored some of one', () => {
  it('gets every good document once, and has every bad one rejected alone', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async ({ sizes, badShare, ...world }) => {
        const total = sizes.reduce((sum, size) => sum + size, 0);
        const bad = badOf(total, badShare, world.seed);
        const { stored, numbers, counts } = await importInto({ ...world, sizes, bad });
        const good = upTo(total).filter((n) => !bad.has(n));
        expect(stored.map(({ n }) => n).toSorted((a, b) => a - b)).toEqual(good);
        expect(numbers('accepted')).toEqual(good);
        expect(numbers('rejected')).toEqual([...bad].toSorted((a, b) => a - b));
        expect(counts).toMatchObject({ unknown: 0, unsent: 0 });
      }),
      { numRuns: runs(150) },
    );
  });

  it('gets nothing twice, and loses nothing, whatever else goes wrong', async () => {
    const faults = fc.record({
      lostAnswers: fc.constantFrom(0, 0.1, 0.3),
      lostRequests: fc.constantFrom(0, 0.1, 0.3),
      failingPages: fc.constantFrom(0, 0.1, 0.9),
    });
    await fc.assert(
      fc.asyncProperty(worlds, faults, async ({ sizes, badShare, ...world }, wrong) => {
        const total = sizes.reduce((sum, size) => sum + size, 0);
        const bad = badOf(total, badShare, world.seed);
        const result = await importInto({ ...world, ...wrong, sizes, bad });
        const { stored, numbers, counts } = result;
        const copies = times(stored.map(({ n }) => n));
        expect(Math.max(1, ...copies.values())).toBe(1);
        for (const n of numbers('accepted')) expect(copies.get(n), `${n} was accepted`).toBe(1);
        for (const n of numbers('rejected')) expect(bad.has(n), `${n} was rejected`).toBe(true);
        const { accepted, rejected, unknown, unsent } = counts;
        expect(accepted + rejected + unknown + unsent).toBe(total);
        expect(unsent).toBe(0);
      }),
      { numRuns: runs(150), examples: [FAILED_ONCE] },
    );
  });

  it('leaves the documents of a refused batch unknown where they cannot be reconciled', async () => {
    const { counts, sent } = await importInto({
      ...{ sizes: [10, 10], bad: new Set([3]), stores: 'good', seed: 1 },
      failingPages: 1,
    });
    expect(counts).toMatchObject({ accepted: 10, unknown: 10, rejected: 0 });
    expect(sent).toHaveLength(2);
  });

  it('is sent no batch of a refused one again while that is being reconciled', async () => {
    const bad = new Set([3, 33, 63]);
    const sizes = [30, 30, 30, 30];
    const { sent } = await importInto({ sizes, bad, stores: 'good', seed: 1 });
    // All four, then only what is missing of the three, alone.
    expect(sent.slice(0, 4).map((numbers) => numbers.length)).toEqual(sizes);
    expect(sent.slice(4).toSorted()).toEqual([[3], [33], [63]]);
  });
});
