import type { ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAjv, PROFILE_SCHEMAS } from '../../src/validation/create-ajv.js';
import { profileCheck } from '../../src/validation/profile-check.js';
import { runs } from '../helpers/runs.js';
import { withSlips } from '../helpers/slips.js';

const DOCUMENT = {
  source: 'RVW',
  sourceId: 'r-1',
  parentSourceId: null,
  text: 'Muy bien 👍',
  language: 'es',
  sentiment: 'B',
  detectedLocations: ['country: España', 'city: Madrid'],
  published: '2024-06-03T16:30:00.000Z',
  downloaded: '2026-01-31T10:30:00+01:00',
  url: 'https://reviews.example.com/r-1?a=é#b',
  metrics: [{ name: 'score', value: 4.6 }],
  tags: ['a', 'b'],
  author: {
    source: 'RVW',
    sourceId: 'a-1',
    username: 'Ana',
    annotations: [{ name: 'room', value: '' }],
  },
};

describe('the check that the build makes of a profile', () => {
  it.each(['complete', 'minimal'] as const)('finds what ajv finds: %s', (profile) => {
    const check = profileCheck(profile);
    const ajv = createAjv().getSchema(PROFILE_SCHEMAS[profile]) as ValidateFunction;
    let good = 0;
    fc.assert(
      fc.property(withSlips([DOCUMENT]), (document) => {
        expect(check(document)).toBe(ajv(document));
        expect(check.errors).toEqual(ajv.errors);
        if (check.errors === null) good += 1;
      }),
      { numRuns: runs(2000) },
    );
    expect(good).toBeGreaterThan(100);
    expect(good).toBeLessThan(runs(1900));
  });
});
