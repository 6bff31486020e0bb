import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instantOf, timestamp } from '../../../src/mapping/dates/timestamp.js';
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

test('its instant is read again, from the year 100 on', () => {
  const since100 = instants.filter((millis) => millis >= Date.parse('0100-01-01T00:00:00Z'));
  fc.assert(
    fc.property(since100, (millis) => {
      expect(instantOf(timestamp(millis))).toBe(millis);
    }),
    { numRuns: runs(500), examples: [[0], [-1], [951_782_400_007]] },
  );
});

test('no instant is read where the standard has none, or the text is written otherwise', () => {
  const digits = fc.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const spoilt = fc
    .tuple(instants, fc.nat(23), fc.string({ unit: 'binary', minLength: 0, maxLength: 2 }))
    .map(([millis, at, other]) => {
      const text = timestamp(millis);
      return text.slice(0, at) + other + text.slice(at + 1);
    });
  fc.assert(
    fc.property(fc.oneof(digits, spoilt), (text) => {
      const instant = instantOf(text);
      if (instant !== undefined) expect(new Date(instant).toISOString()).toBe(text);
    }),
    {
      numRuns: runs(2_000),
      examples: [['2023-02-29T00:00:00.000Z'], ['2024-01-01T24:00:00.000Z']],
    },
  );
});
