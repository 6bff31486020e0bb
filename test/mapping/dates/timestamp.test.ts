import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instantOfLastTimestamp, timestamp } from '../../../src/mapping/dates/read-date.js';
import { runs } from '../../helpers/runs.js';

const instants = fc.integer({
  min: Date.parse('0001-01-01T00:00:00Z'),
  max: Date.parse('9999-12-31T23:59:59.999Z'),
});

test('a timestamp is what toISOString gives, for every year of four digits', () => {
  fc.assert(
    fc.property(instants, (millis) => {
      expect(timestamp(millis)).toBe(new Date(millis).toISOString());
    }),
    { numRuns: runs(500), examples: [[0], [-1], [86_400_000], [951_782_400_007]] },
  );
});

test('the instant of the last timestamp is known, and of no other text', () => {
  fc.assert(
    fc.property(instants, instants, (before, millis) => {
      const earlier = timestamp(before);
      const text = timestamp(millis);
      expect(instantOfLastTimestamp(text)).toBe(millis);
      if (earlier !== text) expect(instantOfLastTimestamp(earlier)).toBeNaN();
    }),
    { numRuns: runs(500), examples: [[0, -1]] },
  );
});
