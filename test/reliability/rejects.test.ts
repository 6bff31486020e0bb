import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { readReport } from '../../src/report/read-report.js';
import { newFolder, put } from '../helpers/files.js';
import { longTest } from '../helpers/runs.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { holdImports } from '../helpers/watched-service.js';
import { lines, makeJob, reportIn, reviews, runsOf, startJob } from './job.js';

longTest('a run that was killed continues its rejects, and leaves no drafts', async () => {
  const sandbox = await startTestSandbox();
  const service = await holdImports(sandbox, 3);
  const job = await makeJob({
    folder: newFolder(),
    sandbox,
    baseUrl: service.baseUrl,
    records: 100,
  });
  const bad = reviews(100).map((one, at) => (at % 10 === 9 ? { ...one, at: 'soon' } : one));
  put(job.folder, 'reviews.jsonl', lines(bad));
  const flags = ['--rejects', 'bad.jsonl', '--report', 'report.json'];
  const { child, ended } = startJob(job, flags);
  await service.held;
  child.kill('SIGKILL');
  await ended;
  service.letGo();
  await service.idle();
  expect(existsSync(path.join(job.folder, 'bad.jsonl'))).toBe(false);
  const [run = ''] = await runsOf(job);
  const resumed = await startJob(job, [...flags, '--resume', run]).ended;
  const report = reportIn(resumed);
  expect(report, resumed.stderr).toMatchObject({ run, counts: { invalid: 10, accepted: 90 } });
  const rejects = readFileSync(path.join(job.folder, 'bad.jsonl'), 'utf8').trimEnd().split('\n');
  expect(rejects).toHaveLength(10);
  expect(readReport(path.join(job.folder, 'report.json'))).toEqual(report);
  expect(readdirSync(job.folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});
