import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/sandbox/demo/random.js';

const seeds = fc.integer();

describe('chance with a seed', () => {
  it('repeats itself for the same seed, and only for it', () => {
    const draw = (seed: number) => {
      const random = createRandom(seed);
      return Array.from({ length: 20 }, () => random.next());
    };
    fc.assert(
      fc.property(seeds, (seed) => {
        expect(draw(seed)).toEqual(draw(seed));
      }),
    );
    expect(draw(1)).not.toEqual(draw(2));
    for (const value of draw(7)) expect(value >= 0 && value < 1).toBe(true);
  });

  it('draws whole numbers between both ends, the ends included', () => {
    const random = createRandom(1);
    const drawn = new Set(Array.from({ length: 200 }, () => random.between(3, 6)));
    expect([...drawn].toSorted()).toEqual([3, 4, 5, 6]);
    const skewed = Array.from({ length: 300 }, () => random.skewed(10));
    expect(Math.max(...skewed)).toBe(10);
    expect(Math.min(...skewed)).toBe(0);
    expect(skewed.filter((value) => value < 5).length).toBeGreaterThan(200);
  });

  it('deals every item once before any comes again', () => {
    fc.assert(
      fc.property(seeds, fc.uniqueArray(fc.string(), { minLength: 1 }), (seed, list) => {
        const random = createRandom(seed);
        for (let round = 0; round < 3; round += 1) {
          const dealt = list.map(() => random.deal(list));
          expect(dealt.toSorted()).toEqual(list.toSorted());
        }
      }),
    );
  });

  it('picks keys about as often as their weights say, and never one of weight 0', () => {
    const random = createRandom(5);
    const drawn = Array.from({ length: 1000 }, () => random.weighted({ a: 3, b: 0, c: 1 }));
    const share = drawn.filter((key) => key === 'a').length / 1000;
    expect(share).toBeGreaterThan(0.7);
    expect(share).toBeLessThan(0.8);
    expect(drawn).not.toContain('b');
  });
});
