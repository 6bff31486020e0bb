import { describe, expect, it } from 'vitest';
import { importDocuments, type Report } from '../../../src/index.js';
import { newFolder, put } from '../../helpers/files.js';
import { minimalMapping } from '../../helpers/reviews.js';
import { startWithMonitoring } from '../../helpers/start-sandbox.js';

const RECORDS = 1_200;
const BATCHES = 24;
const mapping = minimalMapping();

const input = () => {
  const lines = Array.from({ length: RECORDS }, (_, n) => `{"id":"r${n}","text":"Stay ${n}"}\n`);
  return put(newFolder(), 'reviews.jsonl', lines.join(''));
};

const sumOf = ({ delivery }: Report, figure: 'read' | 'accepted' | 'requests') =>
  delivery?.timeline.reduce((sum, point) => sum + point[figure], 0);

describe('the report of how documents were delivered', () => {
  it('adds up to what was read, sent and accepted', async () => {
    const connection = await startWithMonitoring();
    const options = { input: input(), mapping, monitoring: 1, connection };
    const report = await importDocuments({
      stateDir: false,
      ...options,
      batchSize: RECORDS / BATCHES,
    });
    expect(sumOf(report, 'read')).toBe(RECORDS);
    expect(sumOf(report, 'accepted')).toBe(RECORDS);
    expect(sumOf(report, 'requests')).toBe(BATCHES);
    expect(report.delivery?.statuses).toEqual([{ value: '200', count: BATCHES }]);
    expect(report.delivery?.latency?.count).toBe(BATCHES);
  });
});
