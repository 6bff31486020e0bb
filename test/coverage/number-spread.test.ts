import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NumberSpread } from '../../src/coverage/number-spread.js';
import { runs } from '../helpers/runs.js';

const numbers = fc.array(
  fc.oneof(
    fc.integer({ min: -5, max: 10 }),
    fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    fc.integer({ min: 0, max: 5000 }),
  ),
  { minLength: 1, maxLength: 300 },
);

function spreadOf(values: readonly number[]): NumberSpread {
  const spread = new NumberSpread();
  for (const value of values) spread.add(value);
  return spread;
}

/** The number at or below which so large a share lies. */
function exactQuantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number;
}

describe('a spread of numbers', () => {
  it('knows range, mean and quantiles, those to 2.5 percent', () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const figures = spreadOf(values).figures();
        expect(figures).toMatchObject({
          count: values.length,
          least: Math.min(...values) + 0,
          most: Math.max(...values) + 0,
        });
        for (const [name, share] of Object.entries({ p5: 0.05, p25: 0.25, p50: 0.5, p95: 0.95 })) {
          const exact = exactQuantile(values, share);
          const found = figures?.quantiles[name as 'p5'] as number;
          expect(Math.abs(found - exact)).toBeLessThanOrEqual(Math.abs(exact) * 0.025 + 1e-8);
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it('is the same whether numbers come one by one or in parts', () => {
    fc.assert(
      fc.property(numbers, fc.nat(300), (values, at) => {
        const merged = new NumberSpread();
        merged.merge(spreadOf(values.slice(0, at)).summary());
        // Threads clone it, machines send it as JSON.
        merged.merge(JSON.parse(JSON.stringify(spreadOf(values.slice(at)).summary())));
        const { mean: _, ...figures } = merged.figures() ?? { mean: 0 };
        const { mean: __, ...whole } = spreadOf(values).figures() ?? { mean: 0 };
        expect(figures).toEqual(whole);
      }),
      { numRuns: runs(200), examples: [[[-0, 0], 0]] },
    );
  });
});

describe('the histogram of a spread', () => {
  const many = fc
    .oneof(
      fc.constant(fc.double({ min: -1e6, max: 1e6, noNaN: true })),
      fc.constant(fc.integer({ min: 1, max: 1e6 })),
      fc.constant(fc.double({ min: 0, max: 1, noNaN: true })),
    )
    .chain((number) => fc.uniqueArray(number, { minLength: 33, maxLength: 300 }));

  it('covers all numbers with at most 40 bins, one behind the other', () => {
    fc.assert(
      fc.property(many, (values) => {
        const { bins, values: few } = spreadOf(values).figures() ?? {};
        expect(bins === null).toBe(few !== null);
        if (!bins) return;
        expect(bins.length).toBeLessThanOrEqual(40);
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(values.length);
        expect(bins.every(({ from, to, count }) => from < to && count >= 0)).toBe(true);
        expect(bins[0]?.from).toBe(Math.min(...values));
        expect(bins.at(-1)?.to).toBe(Math.max(...values));
        for (const [at, { from }] of bins.slice(1).entries()) expect(from).toBe(bins[at]?.to);
      }),
      { numRuns: runs(200) },
    );
  });
});
