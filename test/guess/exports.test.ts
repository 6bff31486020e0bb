import path from 'node:path';
import { expect } from 'vitest';
import { countOf, type Measured, measureFolder } from '../../bench/guess-score/measure.js';
import { exportsIn } from '../../bench/guess-score/truth.js';
import { guessMapping, previewDocuments } from '../../src/index.js';
import { parseMapping } from '../../src/mapping/load/load-mapping.js';
import { collect } from '../helpers/collect.js';
import { ROOT } from '../helpers/markdown.js';
import { longTest } from '../helpers/runs.js';

const FOLDER = path.join(ROOT, 'test/guess/exports');

longTest(
  'a guess of exports whose truth is known comes to an end, silently wrong about at most one field in a hundred',
  { timeout: 120_000 },
  async () => {
    const measured = await measureAll();
    expect(measured).toHaveLength(exportsIn(FOLDER).length);
    for (const { name, failure } of measured) expect(failure, name).toBeUndefined();
    const scored = measured.flatMap(({ fields }) => fields);
    const counted = scored.length - countOf(measured, 'unscored');
    const silent = countOf(measured, 'silently wrong');
    expect(silent / counted, told(measured)).toBeLessThanOrEqual(0.01);
  },
);

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
