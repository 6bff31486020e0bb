import { expect } from 'vitest';
import { newFolder } from '../helpers/files.js';
import { longTest } from '../helpers/runs.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { refusal, watchService } from '../helpers/watched-service.js';
import { checkComplete, checkEnded, checkStopped, makeJob, startJob } from './job.js';

longTest('credentials that are revoked end the run, which resumes once they hold', async () => {
  const sandbox = await startTestSandbox();
  let revoked = false;
  const { baseUrl, imports } = await watchService(sandbox, async ({ number }, pass) => {
    // The eighth import comes once.
    revoked ||= number === 8;
    return revoked ? refusal(401, 'the key was revoked') : await pass();
  });
  const job = await makeJob({ folder: newFolder(), sandbox, baseUrl, records: 400 });

  const report = await checkEnded(job, await startJob(job).ended);
  expect(report).toMatchObject({ exitCode: 3, resumable: true, stop: { kind: 'no-access' } });
  expect(report.stop?.message).toContain('the key was revoked');
  expect(report.counts.accepted).toBeGreaterThan(0);

  const sent = imports.length;
  const again = await checkStopped(job, await startJob(job, ['--resume']).ended);
  expect(again).toMatchObject({ exitCode: 3, resumable: true, run: report.run });
  expect(imports.length).toBe(sent);

  revoked = false;
  const last = await checkComplete(job, await startJob(job, ['--resume']).ended);
  expect(last.run).toBe(report.run);
});

longTest('an import after one that was refused at its start waits for nothing', async () => {
  const sandbox = await startTestSandbox();
  // So patient that a wait for what may have been sent would outlast the test.
  const job = await makeJob({ folder: newFolder(), sandbox, records: 40, patienceMs: 300_000 });
  const refused = await startJob(job, [], { env: { DOCFERRY_API_KEY: 'wrong' } }).ended;
  expect(refused.code).toBe(3);
  await checkComplete(job, await startJob(job).ended);
});
