import { describe, expect } from 'vitest';
import { parseMapping } from '../../../src/mapping/load/load-mapping.js';
import { columnFields } from '../../../src/mapping/rules.js';
import { MappingError, OptionError } from '../../../src/model/errors.js';
import { loadFaultPlan } from '../../../src/sandbox/faults/load-plan.js';
import { countWork } from '../../helpers/count-work.js';
import { newFolder, put } from '../../helpers/files.js';
import { eachSample, longTest } from '../../helpers/runs.js';

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
  ['conditions', (count) => `skip:\n${lines(count, () => '  - { from: a, blank: true }')}`],
  ['unknown keys', (count) => `document: {}\n${lines(count, (index) => `key${index}: 1`)}`],
  ['values that are none', (count) => VALUES + lines(count, (index) => `      k${index}: []`)],
  ['keys that stand twice', (count) => VALUES + lines(count, (index) => `      k${index % 9}: v`)],
  ['aliases', (count) => `a: &a 1\nb:\n${lines(count, () => '  - *a')}`],
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

describe('a fault plan of twice the size', () => {
  longTest('takes twice the work', async () => {
    const folder = newFolder();
    const work = async (count: number): Promise<number> => {
      const plan = put(
        folder,
        `${count}.yaml`,
        lines(count, (index) => `key${index}: 1`),
      );
      return await countWork(() => loadFaultPlan(plan).catch(expectOptionError));
    };
    await work(10);
    expect((await work(3000)) / (await work(1500))).toBeLessThan(2.3);
  });
});

function expectOptionError(error: unknown): void {
  expect(error).toBeInstanceOf(OptionError);
}
