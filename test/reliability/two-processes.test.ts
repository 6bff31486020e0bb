import { expect } from 'vitest';
import { newFolder } from '../helpers/files.js';
import { longTest } from '../helpers/runs.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { watchService } from '../helpers/watched-service.js';
import { checkComplete, command, makeJob, runsOf, startJob } from './job.js';

longTest('a second process is refused a running run at once, with the reason', async () => {
  const sandbox = await startTestSandbox();
  let begin = (): void => {};
  let release = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { baseUrl, imports } = await watchService(sandbox, async ({ number }, pass) => {
    if (number > 0) begin();
    if (number > 0) await released;
    return pass();
  });
  // The first one must not lose its patience while the others are refused.
  const job = await makeJob({
    folder: newFolder(),
    sandbox,
    baseUrl,
    records: 100,
    patienceMs: 20_000,
  });
  const first = startJob(job);
  await begun;
  const [run = ''] = await runsOf(job);
  const others = [
    command(job, 'runs', 'resume', run),
    startJob(job, ['--resume']).ended,
    startJob(job, ['--resume', run]).ended,
    command(job, 'runs', 'resolve', run),
  ];
  // They end although the first one is still under way: nobody waits for it.
  for (const { code, stderr, stdout } of await Promise.all(others)) {
    expect(stderr).toMatch(
      new RegExp(`^docferry: The run ${run} is running in another process: wait until`, 'm'),
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  }
  expect(first.child.exitCode).toBeNull();
  expect(imports.length).toBeLessThanOrEqual(4);
  release();
  await checkComplete(job, await first.ended);
});
