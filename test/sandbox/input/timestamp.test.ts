import { expect, test } from 'vitest';
import { readTimestamp } from '../../../src/sandbox/input/timestamp.js';

test.each([
  ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
  ['1969-12-31', '1969-12-31T00:00:00.000Z'],
  ['2024-02-29T23:59:59.9999Z', '2024-02-29T23:59:59.999Z'],
  ['2024-05-31T10:30', '2024-05-31T10:30:00.000Z'],
  ['2024-05-31T10:30:00+02:00', '2024-05-31T08:30:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
])('%s is the moment %s', (text, moment) => {
  expect(new Date(readTimestamp(text)!).toISOString()).toBe(moment);
});

test.each([
  ...['2023-02-29', '2024-02-30T00:00:00Z', '2024-05', '20240531T103000Z', '2024-W22-5', ''],
  // Of another year in UTC, which has not four digits.
  ...['0000-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01', '9999-12-31T24:00:00Z'],
])('%j is no timestamp', (text) => {
  expect(readTimestamp(text)).toBeNull();
});
