import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isDateTime } from '../../src/validation/schemas.js';
import { runs } from '../helpers/runs.js';

const pad = (value: number, length = 2) => String(value).padStart(length, '0');

it('agrees with the calendar on which days exist', () => {
  const year = fc.integer({ min: 1, max: 9999 });
  const month = fc.integer({ min: 0, max: 19 });
  const day = fc.integer({ min: 0, max: 39 });
  fc.assert(
    fc.property(year, month, day, (y, m, d) => {
      const date = new Date(0);
      date.setUTCFullYear(y, m - 1, d);
      const exists = date.getUTCMonth() === m - 1 && date.getUTCDate() === d;
      expect(isDateTime(`${pad(y, 4)}-${pad(m)}-${pad(d)}T10:00:00Z`)).toBe(exists);
    }),
    { numRuns: runs(1000) },
  );
});

it.each([
  '2024-06-03 10:00:00Z',
  '2024-06-03T24:00:00Z',
  '2024-06-03T10:00Z',
  '2024-06-03T10:00:00+0200',
  '2024-06-03T10:00:00Z\n',
])('refuses %j', (text) => {
  expect(isDateTime(text)).toBe(false);
});
