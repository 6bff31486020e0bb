import { expect } from 'vitest';
import { newFolder } from '../helpers/files.js';
import { longTest } from '../helpers/runs.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { holdImports } from '../helpers/watched-service.js';
import { checkComplete, command, makeJob, runsOf, startJob } from './job.js';

/** Nothing, or with --json the error. */
const NO_REPORT = /^($|\{\n {2}"error": )/;

longTest('a second process is refused a running run at once, with the reason', async () => {
  const sandbox = await startTestSandbox();
  const { baseUrl, imports, held, letGo } = await holdImports(sandbox, 1);
  // The first one must not lose its patience while the others are refused.
  const job = await makeJob({
    folder: newFolder(),
    sandbox,
    baseUrl,
    records: 100,
    patienceMs: 20_000,
  });
  const first = startJob(job);
  await held;
  const [run = ''] = await runsOf(job);
  const others = [
    command(job, 'runs', 'resume', run),
    startJob(job, ['--resume']).ended,
    startJob(job, ['--resume', run]).ended,
    command(job, 'runs', 'resolve', run),
  ];
  // They end although the first one is still under way: nobody waits for it.
  for (const { code, stderr, stdout } of await Promise.all(others)) {
    expect(stderr).toMatch(new RegExp(`^docferry: The run ${run} is running: wait until`, 'm'));
    expect(code).toBe(2);
    expect(stdout).toMatch(NO_REPORT);
  }
  expect(first.child.exitCode).toBeNull();
  expect(imports.length).toBeLessThanOrEqual(4);
  letGo();
  await checkComplete(job, await first.ended);
});
