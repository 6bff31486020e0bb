import fc from 'fast-check';
import { IANAZone } from 'luxon';
import { expect, test } from 'vitest';
import { localTimeConverter, SkippedTime } from '../../../src/mapping/dates/zones.js';
import { runs } from '../../helpers/runs.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const names = Intl.supportedValuesOf('timeZone');

/** What luxon says of a zone: the first instant at which its clocks showed this, if they did. */
function expected(zone: string, wall: number): number | undefined {
  const rules = IANAZone.create(zone);
  const offsetAt = (instant: number): number => Math.round(rules.offset(instant) * MINUTE);
  const instants = [wall - DAY, wall + DAY].map((instant) => wall - offsetAt(instant));
  return instants.toSorted((a, b) => a - b).find((at) => at + offsetAt(at) === wall);
}

function expectAgreement(zone: string, wall: number): void {
  const instant = localTimeConverter(zone)(wall);
  const found = expected(zone, wall);
  if (!(instant instanceof SkippedTime)) {
    // Midnight of a day that begins later stands for its beginning.
    if (found !== undefined || wall % DAY !== 0) expect(instant).toBe(found);
    return;
  }
  expect(found).toBeUndefined();
  expect(wall).toBeGreaterThanOrEqual(instant.from);
  expect(wall).toBeLessThan(instant.to);
}

test("a wall clock's time is the first instant at which it was shown, in every zone", () => {
  const minutes = fc.integer({
    min: Date.parse('1900-01-02') / MINUTE,
    max: Date.parse('2045-01-01') / MINUTE,
  });
  fc.assert(
    fc.property(fc.constantFrom(...names), minutes, (zone, minute) => {
      expectAgreement(zone, minute * MINUTE);
    }),
    { numRuns: runs(4_000) },
  );
});

test.each([
  // The two changes of the IANA database that are nearest to each other.
  ['America/Boa_Vista', '2000-10-06'],
  ['Asia/Gaza', '2040-10-17'],
  ['Africa/Tunis', '1943-04-14'],
  // Clocks are put forward and back in winter and summer, and a whole day is skipped.
  ['Europe/Madrid', '2024-03-28'],
  ['America/New_York', '2024-11-01'],
  ['Australia/Lord_Howe', '2024-04-04'],
  ['Pacific/Apia', '2011-12-28'],
])('changes of %s around %s are kept apart, whichever day is asked for first', (zone, from) => {
  const start = Date.parse(from);
  fc.assert(
    fc.property(fc.array(fc.nat(15 * 24 * 4), { minLength: 1 }), (quarters) => {
      for (const quarter of quarters) expectAgreement(zone, start + quarter * 15 * MINUTE);
    }),
    { numRuns: runs(200) },
  );
});
