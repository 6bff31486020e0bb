import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CircleWatch } from '../../src/api/circle-watch.js';

const size = (max: number) => fc.integer({ min: 1, max });

it('notices every circle by its third round, wherever it begins', () => {
  fc.assert(
    fc.property(size(200), size(200), (before, round) => {
      const watch = new CircleWatch<number>();
      const values = (at: number): number => (at < before ? at : before + ((at - before) % round));
      let at = 0;
      while (!watch.comesRound(values(at))) at += 1;
      expect(at).toBeGreaterThanOrEqual(before + round);
      expect(at).toBeLessThanOrEqual(3 * (before + round));
    }),
  );
});

it('takes nothing for a circle that never comes again', () => {
  const watch = new CircleWatch<number>();
  for (let value = 0; value < 10_000; value += 1) expect(watch.comesRound(value)).toBe(false);
});

it('notices at once what follows itself', () => {
  const watch = new CircleWatch<string>();
  expect(['a', 'b', 'c', 'd', 'e', 'e'].map((value) => watch.comesRound(value))).toEqual([
    ...Array(5).fill(false),
    true,
  ]);
});
