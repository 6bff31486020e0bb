import path from 'node:path';
import { describe, expect } from 'vitest';
import { countOf, type Measured, measureFolder } from '../../bench/guess-score/measure.js';
import { exportsIn } from '../../bench/guess-score/truth.js';
import { guessMapping, previewDocuments } from '../../src/index.js';
import { parseMapping } from '../../src/mapping/load/load-mapping.js';
import { collect } from '../helpers/collect.js';
import { ROOT } from '../helpers/markdown.js';
import { longTest } from '../helpers/runs.js';

const FOLDER = path.join(ROOT, 'test/guess/exports');

describe('a guess of exports whose truth is known', () => {
  longTest(
    'is silently wrong about at most one field in a hundred',
    async () => {
      const measured = await measure();
      expect(measured).toHaveLength(exportsIn(FOLDER).length);
      const scored = measured.flatMap(({ fields }) => fields);
      const counted = scored.length - countOf(measured, 'unscored');
      const silent = countOf(measured, 'silently wrong');
      expect(silent / counted, told(measured)).toBeLessThanOrEqual(0.01);
    },
    120_000,
  );

  longTest(
    'comes to an end for each of them',
    async () => {
      for (const { name, failure } of await measure()) expect(failure, name).toBeUndefined();
    },
    120_000,
  );
});

let once: Promise<Measured[]> | undefined;

/** Guessing takes some seconds: all tests look at the same run. */
function measure(): Promise<Measured[]> {
  once ??= measureAll();
  return once;
}

async function measureAll(): Promise<Measured[]> {
  const docferry = { guessMapping, previewDocuments, parseMapping };
  return await collect(measureFolder(FOLDER, docferry));
}

function told(measured: readonly Measured[]): string {
  return measured
    .flatMap(({ name, fields }) =>
      fields
        .filter(({ verdict }) => verdict === 'silently wrong')
        .map(({ field, detail }) => `${name}: ${field}: ${detail}`),
    )
    .join('\n');
}
