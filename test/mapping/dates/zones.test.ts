import fc from 'fast-check';
import { IANAZone, Info } from 'luxon';
import { expect, test } from 'vitest';
import { isZone, type OffsetAt, zoneOffsets } from '../../../src/mapping/dates/zones.js';
import { runs } from '../../helpers/runs.js';

const instants = fc.oneof(
  fc.integer({ min: Date.parse('1850-01-01'), max: Date.parse('2100-01-01') }),
  fc.integer({ min: Date.parse('0001-01-01'), max: Date.parse('9999-12-31') }),
);
const names = Intl.supportedValuesOf('timeZone');
/** Zones of every kind, and what is none. */
const written = fc.oneof(
  fc.constantFrom(...names, ...names.map((name) => name.toLowerCase()), 'UTC', 'Etc/GMT+12'),
  fc.constantFrom('utc', 'GMT', 'Z', 'UTC+3', 'utc-3:30', 'CET', 'local', 'system', 'default'),
  fc.constantFrom('Europe/Nowhere', 'Europe/', '/', 'Europe/Madrid ', '+01:00', 'UTC/3', 'madrid'),
  fc.string({ maxLength: 6 }),
);

function offsetIn(zone: string): OffsetAt {
  const rules = zoneOffsets(zone);
  return typeof rules === 'number' ? () => rules : rules;
}

test("a zone's offset is the one that luxon finds, in every zone and at any time", () => {
  const zones = fc.constantFrom(...names, 'UTC', 'Etc/GMT+12');
  fc.assert(
    fc.property(zones, instants, (zone, instant) => {
      const expected = Math.round(IANAZone.create(zone).offset(instant) * 60_000);
      // No clock is -0 ahead.
      expect(offsetIn(zone)(instant) + 0).toBe(expected + 0);
    }),
    { numRuns: runs(2_000) },
  );
});

test("what is a zone, and its rules, are as luxon has them, but for the machine's own", () => {
  fc.assert(
    fc.property(written, instants, (zone, instant) => {
      const known = Info.normalizeZone(zone);
      expect(isZone(zone)).toBe(known.isValid && known.type !== 'system');
      if (!isZone(zone)) return;
      expect(offsetIn(zone)(instant) + 0).toBe(Math.round(known.offset(instant) * 60_000) + 0);
    }),
    { numRuns: runs(2_000) },
  );
});
