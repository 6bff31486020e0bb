import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { editMapping, previewDocuments } from '../../../../src/index.js';
import { parseMapping } from '../../../../src/mapping/load/load-mapping.js';
import { runMappingTests } from '../../../../src/mapping/run-mapping-tests.js';
import {
  type RecordTest,
  testFromRecord,
} from '../../../../src/studio/web/session/mapping-fields.js';
import { ROOT } from '../../../helpers/markdown.js';

const SAMPLES = [
  ['hotel-reviews.csv', 'hotel-reviews.yaml'],
  ['app-reviews.jsonl', 'app-reviews.yaml'],
] as const;

describe('a test made from what a mapping does with a record', () => {
  it.each(SAMPLES)('passes, for each record of %s', async (sample, name) => {
    const file = path.join(ROOT, 'mappings', name);
    const text = editMapping(readFileSync(file, 'utf8'), { path: ['tests'] });
    const made: RecordTest[] = [];
    const input = path.join(ROOT, 'samples', sample);
    for await (const record of previewDocuments({ input, mapping: file })) {
      const test = testFromRecord({ ...record, outcome: 'valid', isCut: false });
      if (typeof test !== 'string') made.push(test);
    }
    expect(made.length).toBeGreaterThan(5);
    const withTests = editMapping(text, { path: ['tests'], value: made });
    const failed = runMappingTests(parseMapping(withTests, name)).filter(({ passed }) => !passed);
    expect(failed).toEqual([]);
  });
});
