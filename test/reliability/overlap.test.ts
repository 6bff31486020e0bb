import { expect } from 'vitest';
import { newFolder } from '../helpers/files.js';
import { longTest } from '../helpers/runs.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { watchService } from '../helpers/watched-service.js';
import { checkComplete, makeJob, startJob } from './job.js';

longTest.each([
  ['of which the last request never arrived', 6, false],
  ['whose only request never arrived', 1, false],
])('a killed import %s is finished by a new one', async (_, killAt, arrives) => {
  const sandbox = await startTestSandbox();
  let kill = (): void => {};
  const { baseUrl, idle } = await watchService(sandbox, async ({ number }, pass) => {
    if (number !== killAt) return await pass();
    if (arrives) await pass();
    kill();
    return undefined;
  });
  const settings = { folder: newFolder(), sandbox, baseUrl, records: 200, concurrency: 1 };
  const job = await makeJob({ ...settings, batchSize: killAt === 1 ? 200 : 20 });
  const { child, ended } = startJob(job);
  kill = () => child.kill('SIGKILL');
  await ended;
  await idle();

  const second = await checkComplete(job, await startJob(job).ended);
  expect(second.counts.accepted).toBeGreaterThanOrEqual(20);
  expect(second.counts.unknown).toBe(0);
  // What one of them has settled is settled for all that follow.
  const third = await checkComplete(job, await startJob(job).ended);
  expect(third.counts.duplicate).toBe(200);
});
