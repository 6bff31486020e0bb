import { expect, it } from 'vitest';
import { readReport } from '../../src/report/read-report.js';
import { newFolder, put } from '../helpers/files.js';
import { NO_COVERAGE, reportWith } from './fixtures.js';

it('a report of an earlier version is read, without figures that this one no longer has', () => {
  const report = JSON.parse(JSON.stringify(reportWith({ coverage: NO_COVERAGE })));
  const former = {
    ...report,
    coverage: { ...report.coverage, requests: { count: 3, bytes: 1_000, largest: 500 } },
    inputs: report.inputs.map((one: object) => ({ ...one, bytesRead: null, fingerprint: 'ab' })),
  };
  const file = put(newFolder(), 'r.json', JSON.stringify(former));
  expect(readReport(file).coverage).toEqual(report.coverage);
});
