import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LearnedRate, TokenBucket } from '../../../src/delivery/pacing/rate.js';

/** A rate that was learned at 10 s, when 40 of 50 requests had been taken within a second. */
function learned(): LearnedRate {
  const rate = new LearnedRate();
  for (let number = 0; number < 50; number += 1) rate.answered(9_020 + 20 * number, number % 5 > 0);
  rate.reached(9_990, 10_000, 10_000);
  return rate;
}

describe('LearnedRate', () => {
  it('has no limit until the service refuses something', () => {
    const rate = new LearnedRate();
    rate.answered(0, true);
    expect(rate.known).toBe(false);
    expect(rate.at(60_000)).toBe(Number.POSITIVE_INFINITY);
  });

  it('is a little less than what was taken in the second before', () => {
    const rate = learned().at(10_000);
    expect(rate).toBeGreaterThan(37);
    expect(rate).toBeLessThan(40);
  });

  it('is kept for a second, and then grows ever faster', () => {
    const rate = learned();
    const first = rate.at(10_000);
    expect(rate.at(11_000)).toBe(first);
    expect(rate.growing(11_000)).toBe(false);
    expect(rate.at(12_000) / first).toBeCloseTo(1.3);
    expect(rate.at(14_000) / first).toBeGreaterThan(10);
  });

  it('is kept twice as long each time it proves right, up to ten seconds', () => {
    const rate = learned();
    const kept: number[] = [];
    let now = 10_000;
    for (let round = 0; round < 6; round += 1) {
      let until = now;
      while (!rate.growing(until)) until += 100;
      kept.push(Math.round((until - now) / 1_000));
      now = until;
      rate.reached(now, now, now);
    }
    expect(kept).toEqual([1, 2, 4, 8, 10, 10]);
  });

  it('falls back to what went well when more was tried, and below it only when that is refused', () => {
    const rate = learned();
    const first = rate.at(10_000);
    rate.reached(11_500, 11_600, 11_600);
    expect(rate.at(11_600)).toBeGreaterThanOrEqual(first);
    rate.reached(11_650, 11_700, 11_700);
    expect(rate.at(11_700)).toBeLessThan(first);
  });

  it('calls it overload when more than a tenth is refused, and more than one', () => {
    const rate = new LearnedRate();
    rate.answered(0, false);
    expect(rate.overloaded(0)).toBe(false);
    rate.answered(10, false);
    expect(rate.overloaded(10)).toBe(true);
    for (let number = 0; number < 20; number += 1) rate.answered(20, true);
    expect(rate.overloaded(20)).toBe(false);
  });
});

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

  it('fills up at another rate from the moment it changes', () => {
    const limit = new TokenBucket();
    limit.take(0, 1);
    limit.rateChanged(500, 1, 0.1);
    expect(limit.waitMs(500)).toBe(5_000);
    limit.rateChanged(3_000, 0.1, 10);
    expect(limit.waitMs(3_000)).toBe(25);
    limit.rateChanged(4_000, 10, 1);
    expect(limit.waitMs(4_000)).toBe(0);
  });
});
