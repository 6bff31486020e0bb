import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';
import { parseIso } from '../../../src/mapping/dates/read-date.js';
import { SkippedTime } from '../../../src/mapping/dates/zones.js';

describe('an ISO 8601 date', () => {
  test.each([
    ['2024-06-03', '2024-06-02T22:00:00.000Z'],
    ['2024-06-03 18:30:05', '2024-06-03T16:30:05.000Z'],
    ['2024-06-03T18:30:05.1239', '2024-06-03T16:30:05.123Z'],
    ['2024-06-03T18:30Z', '2024-06-03T18:30:00.000Z'],
    ['2024-06-03T18:30:00+05:30', '2024-06-03T13:00:00.000Z'],
    ['2024-06-03 18:30:00 -0300', '2024-06-03T21:30:00.000Z'],
    ['2024-06-03T24:00', '2024-06-03T22:00:00.000Z'],
    ['20240603T183000', '2024-06-03T16:30:00.000Z'],
    ['2024-W23-1', '2024-06-02T22:00:00.000Z'],
    ['2024-06', '2024-05-31T22:00:00.000Z'],
  ])('%s in Madrid is %s', (text, expected) => {
    expect(new Date(parseIso('Europe/Madrid')(text) as number).toISOString()).toBe(expected);
  });

  test.each(['18:30', '2024-04-31', '2023-02-29', '2024-06-03T25:00', '3.6.2024'])(
    '%s is none',
    (text) => {
      expect(parseIso('UTC')(text)).toBeUndefined();
    },
  );

  test.each(['2024-03-31T02:30', '2024-03-31 02:00:00.5', '20240331T023000', '2024-W13-7T02:30'])(
    '%s is one that clocks in Madrid skip',
    (text) => {
      expect(parseIso('Europe/Madrid')(text)).toBeInstanceOf(SkippedTime);
      expect(parseIso('Europe/Madrid')(`${text}Z`)).toEqual(parseIso('UTC')(text));
    },
  );

  test('means what luxon says it means', () => {
    const zones = fc.constantFrom('UTC', 'Europe/Madrid', 'America/New_York');
    const dates = fc.date({
      min: new Date('1950-01-01'),
      max: new Date('2090-01-01'),
      noInvalidDate: true,
    });
    const offsets = fc.constantFrom('Z', '+02:00', '-0330', '+14:00');
    fc.assert(
      fc.property(zones, dates, offsets, (zone, date, offset) => {
        const text = date.toISOString().replace('Z', offset);
        expect(parseIso(zone)(text)).toBe(DateTime.fromISO(text, { zone }).toMillis());
      }),
    );
  });
});
