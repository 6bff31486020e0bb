/** Somebody cleans old files out of the state folder while an import is running. */
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.js';
import { newFolder } from '../helpers/files.js';
import { longTest } from '../helpers/runs.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { watchService } from '../helpers/watched-service.js';
import { checkComplete, hasReport, type Job, makeJob, runsOf, shownIds, startJob } from './job.js';

/** Removes files as `find -delete` does, and leaves the folder. */
function clean(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(path.join(folder, name));
}

const CLEANED: Readonly<Record<string, (job: Job) => Promise<void>>> = {
  'the lock of the monitoring': async ({ place }) => clean(path.join(place, 'locks')),
  'the folder of locks': async ({ place }) =>
    rmSync(path.join(place, 'locks'), { recursive: true }),
};

/** A job of 200 requests, one after another. */
function longJob(sandbox: Sandbox, baseUrl: string): Promise<Job> {
  const requests = { records: 400, batchSize: 2, concurrency: 1 };
  return makeJob({ folder: newFolder(), sandbox, baseUrl, ...requests });
}

longTest.each(Object.keys(CLEANED))(
  'when %s is removed, a second import sends nothing twice',
  async (what) => {
    const sandbox = await startTestSandbox();
    let removed: Promise<void> | undefined;
    let hasFirstEnded = false;
    const { baseUrl, idle } = await watchService(sandbox, async ({ number }, pass) => {
      if (number === 0) return await pass();
      if (number === 4) removed = CLEANED[what]!(job);
      await removed;
      const told = await pass();
      // So slow that the second begins while the first has much left to send.
      if (!hasFirstEnded) await sleep(100);
      return told;
    });
    const job = await longJob(sandbox, baseUrl);
    const first = startJob(job);
    while (removed === undefined) await sleep(20);
    await removed;
    const second = startJob(job);
    const one = await first.ended;
    hasFirstEnded = true;
    const report = await checkComplete(job, await second.ended);
    await idle();
    expect(report.counts.unknown).toBe(0);
    expect(await shownIds(job)).toEqual(job.ids.toSorted());
    expect(one.code).toBe(4);
    expect(one.stdout).toMatch(
      /locks\/\w+ was removed while the run held this lock.*Resume the run/,
    );
  },
);

longTest('when the lock of a run is removed, it is not resumed beside itself', async () => {
  const sandbox = await startTestSandbox();
  let removed = false;
  let hasFirstEnded = false;
  const { baseUrl, idle } = await watchService(sandbox, async ({ number }, pass) => {
    if (number === 0) return await pass();
    if (number === 4) {
      const [run = ''] = await runsOf(job);
      rmSync(path.join(job.place, 'runs', run, 'lock'));
      clean(path.join(job.place, 'locks'));
      removed = true;
    }
    const told = await pass();
    if (!hasFirstEnded) await sleep(100);
    return told;
  });
  const job = await longJob(sandbox, baseUrl);
  const first = startJob(job);
  while (!removed) await sleep(20);
  const second = startJob(job, ['--resume']);
  const one = await first.ended;
  hasFirstEnded = true;
  expect(one.code).toBe(4);
  const resumed = await second.ended;
  expect(hasReport(resumed), resumed.stderr).toBe(true);
  await checkComplete(job, await startJob(job, ['--resume']).ended);
  await idle();
  expect(await shownIds(job)).toEqual(job.ids.toSorted());
});
