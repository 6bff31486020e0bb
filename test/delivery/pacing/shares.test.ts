import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fairShares, sum, wholeShares } from '../../../src/delivery/pacing/shares.js';

describe('fairShares', () => {
  it.each([
    [12, [1, 100, 100], [1, 5.5, 5.5]],
    [12, [1, 2, 3], [3, 4, 5]],
    [3, [0, Number.POSITIVE_INFINITY], [0, 3]],
    [10, [], []],
  ])('of %d for %j are %j', (total, asks, shares) => {
    expect(fairShares(total, asks)).toEqual(shares);
  });

  it('have no bound where there is none in total', () => {
    const infinite = Number.POSITIVE_INFINITY;
    expect(fairShares(infinite, [1, infinite])).toEqual([infinite, infinite]);
  });
});

describe('wholeShares', () => {
  it('have the same sum, and differ from the shares by less than one', () => {
    const asks = fc.array(fc.integer({ min: 0, max: 32 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.nat(256), asks, fc.nat(), (total, asks, turn) => {
        const shares = fairShares(total, asks);
        const whole = wholeShares(shares, turn);
        expect(sum(whole)).toBe(total);
        for (const [at, share] of shares.entries()) {
          expect(Math.abs(whole[at]! - share)).toBeLessThan(1);
        }
      }),
    );
  });

  it('give what rounding leaves to others in another turn', () => {
    const turns = [0, 1, 2, 3].map((turn) => wholeShares([0.5, 0, 0.5, 0], turn));
    expect(turns).toContainEqual([1, 0, 0, 0]);
    expect(turns).toContainEqual([0, 0, 1, 0]);
  });
});
