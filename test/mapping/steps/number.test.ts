import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numberReader } from '../../../src/mapping/steps/number.js';

const comma = numberReader(',');
const point = numberReader('.');

describe('a number', () => {
  test.each([
    ['8,7', 8.7],
    ['1.234,5', 1234.5],
    ['1.234.567', 1234567],
    ['1\u202f234\u202f567,25', 1234567.25],
    ["1'234,5", 1234.5],
    [',5', 0.5],
    ['1,5e3', 1500],
  ])('with a decimal comma: %j', (text, expected) => {
    expect(comma(text)).toBe(expected);
  });

  test.each([
    ['8.7', 8.7],
    ['1,234.5', 1234.5],
    ['1’234.5', 1234.5],
    ['1.0E+3', 1000],
  ])('with a decimal point: %j', (text, expected) => {
    expect(point(text)).toBe(expected);
  });

  test.each(['8,7', '1,234 567', '8.7/10', '.', '', 'NaN', '1e999', '1.2.3', '٣'])(
    'with a decimal point is not: %j',
    (text) => {
      expect(point(text)).toBeUndefined();
    },
  );

  test.each(['4.0', '8.7', '1.23', '1,234.5', '1,2,3', '0.123'])(
    'with a decimal comma is not: %j',
    (text) => {
      expect(comma(text)).toBeUndefined();
    },
  );

  test('is read as any language writes it', () => {
    const locales = fc.constantFrom(
      ['de', ','],
      ['es', ','],
      ['fr', ','],
      ['cs', ','],
      ['pt', ','],
      ['nl', ','],
      ['en', '.'],
      ['de-CH', '.'],
    ) as fc.Arbitrary<readonly [string, ',' | '.']>;
    const numbers = fc.double({ min: -1e9, max: 1e9, noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(locales, numbers, ([locale, mark], number) => {
        const format = { maximumFractionDigits: 4, minimumFractionDigits: 1 };
        const text = number.toLocaleString(locale, format);
        expect(numberReader(mark)(text)).toBe(
          Number(number.toFixed(4)) === 0 && text.startsWith('-')
            ? -0
            : Number(Math.abs(number).toLocaleString('en', { ...format, useGrouping: false })) *
                (text.startsWith('-') ? -1 : 1),
        );
      }),
    );
  });
});
