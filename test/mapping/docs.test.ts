import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseMapping } from '../../src/mapping/load/load-mapping.js';
import { runMappingTests } from '../../src/mapping/run-mapping-tests.js';

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/mapping.md'), 'utf8');

/** The blocks of the page that are mappings, with the line on which each starts. */
const examples = [...page.matchAll(/```yaml\n(.*?)```/gsu)]
  .map((block) => ({ line: page.slice(0, block.index).split('\n').length, text: block[1] ?? '' }))
  .filter(({ text }) => /^document:/mu.test(text));

test('the page about mappings has examples', () => {
  expect(examples.length).toBeGreaterThan(6);
});

describe('the example of docs/mapping.md', () => {
  test.each(examples)('in line $line does what its tests say', ({ text }) => {
    const mapping = parseMapping(text, 'docs/mapping.md');
    expect(mapping.tests.length).toBeGreaterThan(0);
    expect(runMappingTests(mapping).flatMap(({ differences }) => differences)).toEqual([]);
  });
});
