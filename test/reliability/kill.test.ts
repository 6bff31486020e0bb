import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { newFolder } from '../helpers/files.js';
import { randomFrom } from '../helpers/random-from.js';
import { cases, eachSample, SOAKING } from '../helpers/runs.js';
import { forSeeds } from '../helpers/seeds.js';
import { startTestSandbox, type TestSandbox } from '../helpers/start-sandbox.js';
import { watchService } from '../helpers/watched-service.js';
import {
  checkComplete,
  checkEnded,
  checkMeanwhile,
  type Job,
  makeJob,
  STORES,
  type StoreName,
  startJob,
} from './job.js';

const RECORDS = SOAKING ? 1_000 : 400;
/** Most kills of one import. */
const MAX_KILLS = SOAKING ? 5 : 3;
/** How long it takes to start, and to send and to look for what is in doubt after that. */
const START_MS = 600;
const WORK_MS = 1_800;
const MAX_AGAIN = 3;
const AT_ONCE = 4;

/** How often a kill hit when: before the first request of the process, between, after all were sent. */
interface Hits {
  before: number;
  sending: number;
  after: number;
  /** How often an import that nobody killed any more still took another process. */
  again: number;
}

eachSample()(STORES)(
  'an import on %s that is killed at any moment, again and again, is brought to its end',
  async (store) => {
    // Answers take a while, so that there is always something under way.
    const sandbox = await startTestSandbox({
      pageSize: 500,
      faults: { rules: [{ on: 'import', latency: { from: 2, to: 30 } }] },
    });
    const hits: Hits = { before: 0, sending: 0, after: 0, again: 0 };
    let monitoring = 0;
    await forSeeds(cases(3, 1_000), AT_ONCE, async (seed) => {
      monitoring += 1;
      await killAndGoOn(sandbox, { store, monitoring, random: randomFrom(seed), hits });
    });
    if (SOAKING) process.stdout.write(`Kills on ${store}: ${JSON.stringify(hits)}\n`);
    // Kills that find nothing under way would prove nothing; a few of them may well find nothing.
    if (SOAKING) expect(hits.sending).toBeGreaterThan(0);
  },
);

interface Killing {
  readonly store: StoreName;
  readonly monitoring: number;
  readonly random: () => number;
  readonly hits: Hits;
}

async function killAndGoOn(
  sandbox: TestSandbox,
  { store, monitoring, random, hits }: Killing,
): Promise<void> {
  let called = (): void => {};
  const { baseUrl, imports, idle } = await watchService(sandbox, (_, pass) => {
    called();
    return pass();
  });
  const job = await makeJob({
    folder: newFolder(),
    store,
    sandbox,
    monitoring,
    baseUrl,
    records: RECORDS,
  });
  const kills = 1 + Math.floor(random() * MAX_KILLS);
  for (let kill = 0; kill < kills; kill += 1) {
    const importsBefore = imports.length;
    const firstCall = new Promise<void>((resolve) => {
      called = resolve;
    });
    const { child, ended } = startJob(job, kill === 0 ? [] : ['--resume']);
    const isEarly = random() < 0.15;
    if (!isEarly) await Promise.race([firstCall, ended]);
    // Mostly soon: then most is under way.
    await wait(isEarly ? random() * START_MS : random() ** 2 * WORK_MS);
    child.kill('SIGKILL');
    await ended;
    await idle();
    const phase = imports.length === importsBefore ? 'before' : 'sending';
    hits[(await isComplete(job)) ? 'after' : phase] += 1;
  }
  hits.again += await goOn(job);
}

/**
 * Brings an import to its end; tells how often it took another process. On a busy machine the service
 * may not answer in time, and what was sent a second time may get no answer either: both are left to
 * the next process.
 */
async function goOn(job: Job): Promise<number> {
  for (let again = 0; ; again += 1) {
    const ended = await startJob(job, ['--resume']).ended;
    const report = await checkEnded(job, ended);
    const isDown = report.stop?.kind === 'service-down' && again < MAX_AGAIN;
    if (isDown) continue;
    const isDone = report.exitCode !== 5 || again === MAX_AGAIN;
    if (isDone) {
      await checkComplete(job, ended);
      return again;
    }
    expect(report.counts.unknown).toBeGreaterThan(0);
    expect(report.problems.map(({ kind }) => kind)).toContain('sent-again');
  }
}

async function isComplete(job: Job): Promise<boolean> {
  const shown = await checkMeanwhile(job);
  return shown.length === job.ids.length;
}
