import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachSample } from '../helpers/runs.js';
import { mappingNames, mappingPath, SAMPLES } from './mappings.js';
import { type ExpectedOutcome, outcomesOf } from './outcomes.js';

interface Expected {
  /** For layouts with relative dates. */
  readonly asOf?: string;
  /** One for each record, in the order of the file. `downloaded` is left out: it is the run's start. */
  readonly records: readonly ExpectedOutcome[];
}

interface Sample {
  readonly name: string;
  readonly file: string;
}

const files = readdirSync(SAMPLES).filter((file) => !file.endsWith('.expected.json'));
const samples: readonly Sample[] = files.map((file) => ({ name: path.parse(file).name, file }));

describe('samples', () => {
  eachSample(15)(samples)('$file becomes what stands beside it', async ({ name, file }) => {
    const { asOf, records } = expectedOf(name);
    const outcomes = await outcomesOf({
      input: path.join(SAMPLES, file),
      mapping: mappingPath(mappingOf(name)),
      ...(asOf === undefined ? {} : { asOf }),
    });
    expect(outcomes).toEqual(records);
  });

  it('show every mapping at work', () => {
    const used = new Set(samples.map(({ name }) => mappingOf(name)));
    expect(mappingNames().filter((name) => !used.has(name))).toEqual([]);
  });

  it('have no expectation without a sample', () => {
    const expectations = readdirSync(SAMPLES).filter((file) => file.endsWith('.expected.json'));
    const names = expectations.map((file) => file.slice(0, -'.expected.json'.length));
    expect(names.filter((name) => !samples.some((sample) => sample.name === name))).toEqual([]);
  });
});

function expectedOf(name: string): Expected {
  const file = path.join(SAMPLES, `${name}.expected.json`);
  return JSON.parse(readFileSync(file, 'utf8')) as Expected;
}

/** The mapping with the longest name that the sample's name starts with. */
function mappingOf(sample: string): string {
  const fitting = mappingNames().filter((name) => sample.startsWith(name));
  const [longest] = fitting.sort((a, b) => b.length - a.length);
  if (longest === undefined) throw new Error(`no mapping is named after the sample ${sample}`);
  return longest;
}
