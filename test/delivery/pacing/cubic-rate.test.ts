import { describe, expect, it } from 'vitest';
import { CubicRate } from '../../../src/delivery/pacing/rate.js';

/** A rate after a second in which 40 of 50 requests were taken. */
function reduced(): CubicRate {
  const rate = new CubicRate();
  for (let number = 0; number < 50; number += 1) rate.answered(9_000 + 20 * number, number % 5 > 0);
  rate.reduce(9_999, 10_000);
  return rate;
}

describe('CubicRate', () => {
  it('falls a fifth below what was taken, comes back to it, and then grows ever faster', () => {
    expect(new CubicRate().at(60_000)).toBe(Number.POSITIVE_INFINITY);
    const rate = reduced();
    const later = (seconds: number): number => rate.at(10_000 + 1_000 * seconds);
    expect(later(0)).toBeCloseTo(32, 0);
    expect(later(4)).toBeCloseTo(40, 0);
    expect(later(8)).toBeCloseTo(48, 0);
    expect(later(12) / later(8)).toBeGreaterThan(2);
  });

  it('takes more than a tenth of refusals, and more than one, for too many requests', () => {
    const rate = new CubicRate();
    rate.answered(0, false);
    expect(rate.isTooFast(0)).toBe(false);
    rate.answered(10, false);
    expect(rate.isTooFast(10)).toBe(true);
    for (let number = 0; number < 20; number += 1) rate.answered(20, true);
    expect(rate.isTooFast(20)).toBe(false);
  });
});
