import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import { expect } from 'vitest';
import { newFolder } from '../helpers/files.js';
import type { Surroundings } from '../helpers/run-cli.js';
import { docferry } from '../helpers/run-cli.js';
import { longTest, sample } from '../helpers/runs.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { watchService } from '../helpers/watched-service.js';
import { checkComplete, checkMeanwhile, makeJob, runsOf, startJob } from './job.js';

const PRELOAD = fileURLToPath(import.meta.resolve('../helpers/preload/shift-clock.mjs'));
const HOUR_MS = 3_600_000;

type Clock = Pick<Surroundings, 'preload' | 'env'>;

/** A clock that is wrong from the start. */
function off(ms: number): Clock {
  return { preload: PRELOAD, env: { CLOCK_OFF_MS: String(ms) } };
}

/** A clock that jumps while documents are sent. */
function jumping(ms: number): Clock {
  return { preload: PRELOAD, env: { CLOCK_JUMP_MS: String(ms), CLOCK_JUMP_AFTER_MS: '400' } };
}

/** Clocks of the process that is killed, of one that looks what came of it, and of the last one. */
const CLOCKS: Readonly<Record<string, readonly [Clock, Clock, Clock]>> = {
  'ahead in later processes': [{}, off(HOUR_MS), off(HOUR_MS)],
  'behind in later processes': [{}, off(-HOUR_MS), off(-HOUR_MS)],
  'jumping ahead in each': [jumping(HOUR_MS), jumping(HOUR_MS), jumping(HOUR_MS)],
  'jumping back in each': [jumping(-HOUR_MS), jumping(-HOUR_MS), jumping(-HOUR_MS)],
};

longTest('clocks that are an hour wrong, in one process or another, change nothing', async () => {
  const sandbox = await startTestSandbox({
    faults: { rules: [{ on: 'import', latency: { fixed: 20 } }] },
  });
  await pLimit(4).map(
    [...sample(Object.entries(CLOCKS)).entries()],
    async ([index, [name, clocks]]) => {
      const [first, looking, last] = clocks;
      let kill = (): void => {};
      const { baseUrl, idle } = await watchService(sandbox, async ({ number }, pass) => {
        const told = await pass();
        if (number === 12) kill();
        return told;
      });
      const settings = {
        folder: newFolder(),
        sandbox,
        monitoring: index + 1,
        baseUrl,
        records: 400,
        // Four at once: an answer that is late on a busy machine would end the run before it is killed.
        patienceMs: 3_000,
      };
      const job = await makeJob(settings);
      const { child, ended } = startJob(job, [], first);
      kill = () => child.kill('SIGKILL');
      expect((await ended).code, name).toBeNull();
      await idle();
      await checkMeanwhile(job);

      const [run = ''] = await runsOf(job);
      const { cwd, env } = job.surroundings;
      const resolve = ['runs', 'resolve', run, '--settle-time', '0.6', '--timeout', '0.6'];
      const how = { ...looking, cwd, env: { ...env, ...looking.env } };
      // All that is known of what was under way is known, or nothing proves that the rest is absent.
      expect([0, 4, 5], name).toContain((await docferry(resolve, how)).code);
      await checkMeanwhile(job);
      await checkComplete(job, await startJob(job, ['--resume'], last).ended);
    },
  );
});

longTest('a clock before 1970 imports as any other', async () => {
  const sandbox = await startTestSandbox();
  const settings = { folder: newFolder(), sandbox, monitoring: 1 };
  const job = await makeJob({ ...settings, records: 40 });
  await checkComplete(job, await startJob(job, [], off(Date.UTC(1960, 0) - Date.now())).ended);
});
