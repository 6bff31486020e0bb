import { once } from 'node:events';
import { expect } from 'vitest';
import { deferred } from '../helpers/deferred.js';
import { newFolder } from '../helpers/files.js';
import type { Started } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { holdImports, watchService } from '../helpers/watched-service.js';
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

longTest(
  'a second import into the monitoring waits for the first, says so, and goes on when that is killed',
  async () => {
    const sandbox = await startTestSandbox();
    const begun = deferred();
    let isKilled = false;
    const { baseUrl } = await watchService(sandbox, async ({ number }, pass) => {
      if (number === 0 || isKilled) return pass();
      begun.resolve();
      return await new Promise(() => {});
    });
    const quick = await makeJob({ folder: newFolder(), sandbox, baseUrl, records: 20 });
    const loud = quick.arguments.filter((argument) => argument !== '--quiet');
    // The first one must not lose its patience while the others wait.
    const patient = loud.map((argument) => (argument === '0.6' ? '30' : argument));
    const first = startJob({ ...quick, arguments: patient });
    await begun.promise;
    const [run = ''] = await runsOf(quick);
    const refused = await startJob(quick, ['--lock-timeout', '0']).ended;
    expect(refused).toMatchObject({ code: 2, stdout: expect.stringMatching(NO_REPORT) });
    expect(refused.stderr).toMatch(
      /^docferry: The run \S+ \(process \d+\) has been importing .*Start this import again when/m,
    );
    const [interrupted, second] = [1, 2].map(() => startJob({ ...quick, arguments: loud })) as [
      Started,
      Started,
    ];
    const names = `The run ${run} (process ${first.child.pid}) has been importing into monitoring`;
    for (const { says, written } of [interrupted, second]) {
      await says(/Waiting for it to end/);
      expect(written().stderr).toContain(names);
    }
    interrupted.child.kill('SIGINT');
    expect(await once(interrupted.child, 'exit')).toEqual([130, null]);
    isKilled = true;
    first.child.kill('SIGKILL');
    const [code] = await once(second.child, 'exit');
    // It reconciles what the first left unconfirmed.
    expect(code).toBe(0);
    await checkComplete(quick, await startJob(quick, ['--resume', run]).ended);
  },
);
