import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../helpers/markdown.js';
import { runs } from '../helpers/runs.js';
import { withSlips } from '../helpers/slips.js';

const compiled = createRequire(import.meta.url)('../../dist/mapping/mapping-schema.cjs') as () => {
  readonly validateMapping: ValidateFunction;
};
const schema = JSON.parse(readFileSync(path.join(ROOT, 'schemas/mapping.schema.json'), 'utf8'));

const folder = path.join(ROOT, 'mappings');
const mappings = readdirSync(folder).map((file) =>
  parse(readFileSync(path.join(folder, file), 'utf8')),
);

describe('the check that the build makes of the mapping schema', () => {
  it('finds what ajv finds', () => {
    const check = compiled().validateMapping;
    const ajv = new Ajv2020({ allErrors: true, verbose: true, allowUnionTypes: true }).compile(
      schema,
    );
    let good = 0;
    fc.assert(
      fc.property(withSlips(mappings), (mapping) => {
        expect(check(mapping)).toBe(ajv(mapping));
        expect(check.errors).toEqual(ajv.errors);
        if (check.errors === null) good += 1;
      }),
      { numRuns: runs(1000) },
    );
    expect(good).toBeGreaterThan(50);
    expect(good).toBeLessThan(runs(950));
  });
});
