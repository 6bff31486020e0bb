import { describe, expect } from 'vitest';
import { parseMapping } from '../../../src/mapping/load/load-mapping.js';
import { columnFields } from '../../../src/mapping/rules.js';
import { MappingError } from '../../../src/model/errors.js';
import { countWork } from '../../helpers/count-work.js';
import { eachSample } from '../../helpers/runs.js';

/** So many lines of a mapping, each with its number. */
function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => `${line(index)}\n`).join('');
}

const VALUES = 'document:\n  text:\n    from: a\n    values:\n';

/** Mappings by their number of entries. */
const SHAPES: readonly [string, (entries: number) => string][] = [
  ['values', (count) => VALUES + lines(count, (index) => `      k${index}: v${index}`)],
  [
    'values on one line',
    (count) =>
      `document: { text: { from: a, values: { ${lines(count, (index) => `k${index}: v,`)} } } }`,
  ],
  [
    'tags of one column',
    (count) => `document:\n  tags:\n${lines(count, (i) => `    t${i}: "{a}"`)}`,
  ],
  ['keys that stand twice', (count) => VALUES + lines(count, (index) => `      k${index % 9}: v`)],
  [
    'anchors and aliases',
    (count) => `a:\n${lines(count, (i) => `  - &a${i} 1`)}b:\n${lines(count, (i) => `  - *a${i}`)}`,
  ],
];

/** Loads a mapping as far as it goes. */
function load(text: string): void {
  try {
    columnFields(parseMapping(text, 'm.yaml'));
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
  }
}

describe('a mapping of twice the size', () => {
  eachSample(1)(SHAPES)('takes twice the work: %s', async (_, text) => {
    load(text(10));
    const small = await countWork(() => load(text(1500)));
    const large = await countWork(() => load(text(3000)));
    expect(large / small).toBeLessThan(2.3);
  });
});
