import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readyMappings } from '../../src/mapping/ready-mappings.js';
import { guessMapping } from '../../src/operations/guess-mapping.js';
import { newFolder, put } from '../helpers/files.js';
import { eachSample } from '../helpers/runs.js';
import { SAMPLES } from '../mappings/mappings.js';

const samples = readdirSync(SAMPLES);

function sampleOf(name: string): string {
  const file = samples.find((one) => path.parse(one).name === name);
  return path.join(SAMPLES, file ?? '');
}

async function readyFor(input: string): Promise<string | null> {
  return (await guessMapping({ input })).ready;
}

describe('a guess takes the ready mapping of a layout', () => {
  eachSample(6)(readyMappings())('$name', async ({ name }) => {
    expect(await readyFor(sampleOf(name))).toBe(`mappings/${name}.yaml`);
  });

  it('only of a file that it can read: not of pages that were put together', async () => {
    const { reviews } = JSON.parse(readFileSync(sampleOf('steam'), 'utf8')) as {
      readonly reviews: readonly unknown[];
    };
    const folder = newFolder();
    const lines = reviews.map((review) => `${JSON.stringify(review)}\n`).join('');
    expect(await readyFor(put(folder, 'pages.json', JSON.stringify(reviews)))).toBeNull();
    expect(await readyFor(put(folder, 'pages.jsonl', lines))).toBeNull();
  });

  it('only of a table that is written as the mapping says', async () => {
    const text = readFileSync(sampleOf('inside-airbnb'), 'utf8');
    const folder = newFolder();
    const semicolons = `${text.split('\n', 1)[0]?.replaceAll(',', ';')}\n2818;1191;2024-03-30;10952;Lam;Nice and clean\n`;
    expect(await readyFor(put(folder, 'semicolons.csv', semicolons))).toBeNull();
    const preamble = `Reviews of the city\nFor ourselves\n\n${text}`;
    expect(await readyFor(put(folder, 'preamble.csv', preamble))).toBeNull();
    expect(await readyFor(put(folder, 'as-it-is.csv', text))).toBe('mappings/inside-airbnb.yaml');
  });
});
