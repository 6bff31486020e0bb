import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { explainErrors } from '../../src/validation/explain-errors.js';
import { createAjv, PROFILE_SCHEMAS, shippedValidator } from '../../src/validation/schemas.js';
import { ROOT } from '../helpers/markdown.js';
import { runs } from '../helpers/runs.js';
import { withSlips } from '../helpers/slips.js';
import { COMPLETE } from './complete-document.js';

const DOCUMENT = { ...COMPLETE, parentSourceId: null, tags: ['a', 'b'] };

const PLAN = {
  seed: 7,
  rules: [
    { on: ['import', 'feed'], rate: 0.5, status: 503, message: 'm', retryAfter: 2 },
    { requests: [1, 2], latency: { median: 40, p99: 400 } },
    { on: 'import', apply: { share: 0.5, answer: 'full' } },
    { every: 3, rateLimit: { requests: 3, perSeconds: 1 } },
  ],
};

const CONFIG = {
  monitoring: 1,
  streams: { reviews: { mapping: 'm.yaml', profile: 'minimal' }, other: { mapping: 'o.yaml' } },
  epoch: { records: 10, seconds: 0.5 },
  concurrency: 'auto',
  maxErrors: '5%',
  throttleStatus: [429],
  rejects: 'rejects-{run}.jsonl',
};

const folder = path.join(ROOT, 'mappings');
const mappings: readonly object[] = readdirSync(folder).map((file) =>
  parse(readFileSync(path.join(folder, file), 'utf8')),
);

function compiled(name: string): ValidateFunction {
  const schema = readFileSync(path.join(ROOT, `schemas/${name}.schema.json`), 'utf8');
  return createAjv().compile(JSON.parse(schema));
}

function profile(name: keyof typeof PROFILE_SCHEMAS): ValidateFunction {
  return createAjv().getSchema(PROFILE_SCHEMAS[name]) as ValidateFunction;
}

describe('the check that the build makes of a schema', () => {
  it.each([
    ['complete', [DOCUMENT], profile('complete')],
    ['minimal', [DOCUMENT], profile('minimal')],
    ['mapping', mappings, compiled('mapping')],
    ['faults', [PLAN], compiled('faults')],
    ['singer-config', [CONFIG], compiled('singer-config')],
  ] as const)('finds what ajv finds: %s', (name, originals, ajv) => {
    const check = shippedValidator(name);
    let good = 0;
    fc.assert(
      fc.property(withSlips(originals), (value) => {
        expect(check(value)).toBe(ajv(value));
        expect(check.errors).toEqual(ajv.errors);
        // What is refused in silence would be taken for right.
        if (check.errors) expect(explainErrors(check.errors, value)).not.toEqual([]);
        if (check.errors === null) good += 1;
      }),
      { numRuns: runs(1000) },
    );
    expect(good).toBeGreaterThan(50);
    expect(good).toBeLessThan(runs(950));
  });
});
