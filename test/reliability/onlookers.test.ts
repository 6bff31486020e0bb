import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';
import { newFolder } from '../helpers/files.js';
import { longTest } from '../helpers/runs.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { watchService } from '../helpers/watched-service.js';
import {
  checkComplete,
  checkMeanwhile,
  command,
  type Job,
  journalled,
  makeJob,
  runsOf,
  startJob,
} from './job.js';

// What was lost here: a process that looked let go of the journal, and took the log of the one
// that was writing with it.
longTest('a resumed run keeps what it writes, although others look at it', async () => {
  const sandbox = await startTestSandbox();
  let arrived: (number: number) => unknown = () => {};
  const service = await watchService(sandbox, async ({ number }, pass) => {
    const told = await pass();
    if (number > 0) await arrived(number);
    return told;
  });
  const { baseUrl } = service;
  const job = await makeJob({
    folder: newFolder(),
    sandbox,
    baseUrl,
    records: 200,
    batchSize: 5,
  });

  await killAt(3);
  await killAt(20, async () => {
    expect((await command(job, 'runs', 'list')).code).toBe(0);
    await lookAndLetGo(job);
  });
  arrived = () => {};
  await checkComplete(job, await startJob(job, ['--resume']).ended);

  /** Starts a process and kills it at the import of this number; its first one waits for `look`. */
  async function killAt(last: number, look?: () => Promise<void>): Promise<void> {
    const { child, ended } = startJob(job, ['--resume']);
    let looking: Promise<void> | undefined;
    arrived = (number) => {
      if (number >= last) child.kill('SIGKILL');
      looking ??= look?.();
      return looking;
    };
    await ended;
    await service.idle();
    await checkMeanwhile(job);
  }
});

/** Files of a database are let go of when its statements are garbage. */
async function lookAndLetGo(job: Job): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  for (const run of await runsOf(job)) await journalled(job, run);
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
  }
}
