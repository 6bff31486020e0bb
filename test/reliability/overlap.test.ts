import { expect } from 'vitest';
import { newFolder } from '../helpers/files.js';
import { longTest } from '../helpers/runs.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { watchService } from '../helpers/watched-service.js';
import { checkComplete, checkStopped, makeJob, runsOf, startJob } from './job.js';

longTest('what a killed import left unconfirmed is left alone by a new one', async () => {
  const sandbox = await startTestSandbox();
  let kill = (): void => {};
  const { baseUrl, idle } = await watchService(sandbox, async ({ number }, pass) => {
    const told = await pass();
    if (number !== 6) return told;
    kill();
    return undefined;
  });
  const job = await makeJob({ folder: newFolder(), sandbox, baseUrl, records: 400 });
  const { child, ended } = startJob(job);
  kill = () => child.kill('SIGKILL');
  await ended;
  await idle();
  const [first = ''] = await runsOf(job);

  const second = await checkStopped(job, await startJob(job).ended);
  expect(second.exitCode).toBe(5);
  expect(second.counts.unknown).toBeGreaterThanOrEqual(20);
  expect(second.problems.map(({ kind }) => kind)).toContain('in-doubt');

  await checkComplete(job, await startJob(job, ['--resume', first]).ended);
  const third = await checkComplete(job, await startJob(job).ended);
  expect(third.counts.duplicate).toBe(400);
});
