import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TokenBucket } from '../../../src/delivery/pacing/rate.js';

describe('TokenBucket', () => {
  it('lets no more through than the rate, in any second, however they come', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 50 }), (gaps, rate) => {
        const limit = new TokenBucket();
        let now = 0;
        const gone = gaps.map((gap) => {
          now += gap;
          return now + limit.take(now, rate);
        });
        for (const at of gone) {
          const within = gone.filter((other) => other >= at && other < at + 1_000 - 1e-6);
          expect(within.length).toBeLessThanOrEqual(rate);
        }
      }),
    );
  });

  it('keeps a slow rate, and has no limit at an infinite one', () => {
    const limit = new TokenBucket();
    expect(limit.take(0, 0.5)).toBe(0);
    expect(limit.waitMs(500)).toBe(1_500);
    expect(limit.take(500, Number.POSITIVE_INFINITY)).toBe(1_500);
    expect(limit.take(2_000, Number.POSITIVE_INFINITY)).toBe(0);
    expect(limit.waitMs(2_000)).toBe(0);
  });
});
