import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { longTest } from '../helpers/runs.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { watchService } from '../helpers/watched-service.js';
import { type Job, lines, makeJob, reportIn, reviews, runsOf, startJob } from './job.js';

/** A job of 100 records, of which every tenth is invalid. */
async function jobWithRejects(baseUrl?: string): Promise<Job> {
  const sandbox = await startTestSandbox();
  const at = baseUrl === undefined ? {} : { baseUrl };
  const job = await makeJob({ folder: newFolder(), sandbox, records: 100, ...at });
  const records = reviews(100).map((review, index) =>
    index % 10 === 9 ? { ...review, at: 'soon' } : review,
  );
  put(job.folder, 'reviews.jsonl', lines(records));
  return job;
}

longTest('a run that was killed continues its rejects, and leaves no drafts', async () => {
  const sandbox = await startTestSandbox();
  let tell = (): void => {};
  const held = new Promise<void>((resolve) => {
    tell = resolve;
  });
  let letGo = (): void => {};
  const released = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const service = await watchService(sandbox, async ({ number }, pass) => {
    if (number >= 3) {
      tell();
      await released;
    }
    return pass();
  });
  const job = await jobWithRejects(service.baseUrl);
  const surroundings = {
    ...job.surroundings,
    env: {
      ...job.surroundings.env,
      DOCFERRY_USERNAME: sandbox.username,
      DOCFERRY_API_KEY: sandbox.apiKey,
    },
  };
  await sandbox.ensureMonitoring(1);
  const killed = { ...job, surroundings };
  const flags = ['--rejects', 'bad.jsonl', '--report', 'report.json'];
  const { child, ended } = startJob(killed, flags);
  await held;
  child.kill('SIGKILL');
  await ended;
  letGo();
  await service.idle();
  expect(existsSync(path.join(job.folder, 'bad.jsonl'))).toBe(false);
  const [run = ''] = await runsOf(job);
  const resumed = await startJob(killed, [...flags, '--resume', run]).ended;
  const report = reportIn(resumed);
  expect(report, resumed.stderr).toMatchObject({ run, counts: { invalid: 10, accepted: 90 } });
  const rejects = readFileSync(path.join(job.folder, 'bad.jsonl'), 'utf8').trimEnd().split('\n');
  expect(rejects).toHaveLength(10);
  expect(JSON.parse(readFileSync(path.join(job.folder, 'report.json'), 'utf8'))).toEqual(report);
  expect(readdirSync(job.folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});
