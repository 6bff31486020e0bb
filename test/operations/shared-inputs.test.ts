import { gzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { importDocuments } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';
import { HAS } from '../helpers/needs.js';
import { newDatabase } from '../helpers/postgres.js';
import { minimalMapping } from '../helpers/reviews.js';
import { longTest } from '../helpers/runs.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';

const MAPPING = minimalMapping({ language: 'en', published: { from: 'date', date: 'iso' } });

function rows(name: string, count: number): string {
  const row = (_: unknown, at: number): string => `${name}-${at},2024-06-03T16:30:00Z,Fine ${at}\n`;
  return `id,date,text\n${Array.from({ length: count }, row).join('')}`;
}

describe.skipIf(!HAS.postgres)('an import with a shared state', () => {
  longTest('imports the other inputs if one ends early, and can be resumed', async () => {
    const connection = await startWithMonitoring();
    const folder = newFolder();
    const whole = gzipSync(rows('cut', 20_000));
    const cut = put(folder, 'cut.csv.gz', whole.subarray(0, whole.length / 2));
    const other = put(folder, 'other.csv', rows('other', 100));
    const state = await newDatabase();
    const options = { input: [cut, other], mapping: MAPPING, monitoring: 1, connection, state };
    const report = await importDocuments({ ...options, throwOn: 'never' });
    expect(report).toMatchObject({ exitCode: 4, resumable: true, stop: { kind: 'source' } });
    expect(report.inputs[1]).toMatchObject({ records: 100 });
    expect(report.counts.accepted).toBe(report.counts.read);
    const again = await importDocuments({ ...options, resume: report.run, throwOn: 'never' });
    expect(again.stop).toEqual(report.stop);
    expect(again.counts).toEqual(report.counts);
  });
});
