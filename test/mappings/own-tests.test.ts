import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadMapping } from '../../src/mapping/load/load-mapping.js';
import { runMappingTests } from '../../src/mapping/run-mapping-tests.js';
import { mappingNames, mappingPath } from './mappings.js';

describe.each(mappingNames())('the mapping %s', (name) => {
  it('passes its own tests', async () => {
    const failed = runMappingTests(await loadMapping(mappingPath(name))).filter(
      ({ passed }) => !passed,
    );
    expect(failed).toEqual([]);
  });

  it('tests a document, a skipped record and an invalid one', async () => {
    const { tests } = await loadMapping(mappingPath(name));
    expect(tests.filter((test) => test.document !== undefined)).not.toEqual([]);
    expect(tests.filter((test) => test.skipped !== undefined)).not.toEqual([]);
    expect(tests.filter((test) => test.invalid !== undefined)).not.toEqual([]);
  });

  it('names the schema that editors check it with', () => {
    const [first] = readFileSync(mappingPath(name), 'utf8').split('\n');
    expect(first).toBe('# yaml-language-server: $schema=../schemas/mapping.schema.json');
  });
});
