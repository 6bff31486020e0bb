import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roughly, thousands } from '../../src/model/figures.js';

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

test('a number is rounded to four digits as English writes it', () => {
  const numbers = fc.oneof(
    fc.integer({ min: -20_000, max: 20_000 }).map((number) => number / 10),
    fc.integer({ min: -20_000, max: 20_000 }).map((number) => number / 1_000),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  fc.assert(
    fc.property(numbers, (number) => {
      const asEnglish = { maximumSignificantDigits: 4 };
      expect(roughly(number)).toBe((number + 0).toLocaleString('en-US', asEnglish));
    }),
    { numRuns: 1_000 },
  );
});
