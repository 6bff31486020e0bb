import fc from 'fast-check';
import { expect, test } from 'vitest';
import { thousands } from '../../src/model/figures.js';

test('a number is written as English writes it', () => {
  const numbers = fc.oneof(
    fc.maxSafeInteger(),
    fc.integer({ min: -2_000, max: 2_000_000 }),
    fc.double({ min: 0, max: 1e12, noNaN: true }),
  );
  fc.assert(
    fc.property(numbers, (number) => {
      // There is no -0 of anything.
      expect(thousands(number)).toBe((Math.round(number) + 0).toLocaleString('en-US'));
    }),
  );
});
