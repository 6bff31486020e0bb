import fc from 'fast-check';
import { IANAZone } from 'luxon';
import { expect, test } from 'vitest';
import { zoneOffset } from '../../../src/mapping/dates/local-time.js';
import { runs } from '../../helpers/runs.js';

test("a zone's offset is the one that luxon finds, in every zone and at any time", () => {
  const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'), 'UTC', 'Etc/GMT+12');
  const instants = fc.oneof(
    fc.integer({ min: Date.parse('1850-01-01'), max: Date.parse('2100-01-01') }),
    fc.integer({ min: Date.parse('0001-01-01'), max: Date.parse('9999-12-31') }),
  );
  fc.assert(
    fc.property(zones, instants, (zone, instant) => {
      const expected = Math.round(IANAZone.create(zone).offset(instant) * 60_000);
      // No clock is -0 ahead.
      expect(zoneOffset(zone)(instant) + 0).toBe(expected + 0);
    }),
    { numRuns: runs(2_000) },
  );
});

test('there is no offset at what is no instant', () => {
  expect(zoneOffset('Europe/Madrid')(Number.NaN)).toBeNaN();
  expect(zoneOffset('Europe/Madrid')(8.64e15 + 1)).toBeNaN();
});
