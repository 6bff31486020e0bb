import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import { expect } from 'vitest';
import { newFolder } from '../helpers/files.js';
import { longTest, SOAKING } from '../helpers/runs.js';
import { startTestSandbox, type TestSandbox } from '../helpers/start-sandbox.js';
import {
  checkComplete,
  checkMeanwhile,
  type Job,
  makeJob,
  STORES,
  type StoreName,
  startJob,
} from './job.js';

const PRELOAD = fileURLToPath(import.meta.resolve('../helpers/preload/crash-at-write.mjs'));
const RECORDS = SOAKING ? 600 : 40;
const AT_ONCE = 4;
/** Where in a process a crash comes: `before 3` is right before its third durable write. */
type Side = 'before' | 'after';

const sides = (process: 'the first process' | 'the one that resumes', usual: Side) =>
  STORES.flatMap((store) =>
    (SOAKING ? (['before', 'after'] as const) : [usual]).map((side) => ({ store, process, side })),
  );

longTest.each([...sides('the first process', 'before'), ...sides('the one that resumes', 'after')])(
  'a crash of $process right $side any durable write on $store loses nothing and sends nothing twice',
  { timeout: 300_000 },
  async ({ store, process, side }) => {
    const sandbox = await startTestSandbox();
    const points = await atEveryPoint(async (point) => {
      const job = await makeOne(sandbox, store, point);
      // The run, its target, an intent: there is something in doubt.
      if (process !== 'the first process') expect(await crashAt(job, 'after 3')).toBe(true);
      const crashed = await crashAt(job, `${side} ${point}`);
      if (crashed) await goOn(job);
      return crashed;
    });
    // The run and its target, intents and outcomes, the report, the ledger.
    expect(points).toBeGreaterThan(3);
  },
);

/** Goes through the points until a process has so few that it ends by itself; tells how many. */
async function atEveryPoint(crash: (point: number) => Promise<boolean>): Promise<number> {
  let next = 1;
  let last = Number.POSITIVE_INFINITY;
  await pLimit(AT_ONCE).map(Array(AT_ONCE).fill(undefined), async () => {
    while (next < last) {
      const point = next;
      next += 1;
      if (!(await crash(point))) last = Math.min(last, point);
    }
  });
  return last - 1;
}

function makeOne(sandbox: TestSandbox, store: StoreName, monitoring: number): Promise<Job> {
  const settings = { folder: newFolder(), store, sandbox, monitoring, records: RECORDS };
  return makeJob({ ...settings, concurrency: 1 });
}

/** Whether the process crashed; it ends as it should if it comes to no such write. */
async function crashAt(job: Job, at: string): Promise<boolean> {
  const how = { preload: PRELOAD, env: { CRASH_AT: at } };
  const ended = await startJob(job, ['--resume'], how).ended;
  if (ended.code !== null) await checkComplete(job, ended);
  else await checkMeanwhile(job);
  return ended.code === null;
}

async function goOn(job: Job): Promise<void> {
  await checkComplete(job, await startJob(job, ['--resume']).ended);
}
