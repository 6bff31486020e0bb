import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pLimit from 'p-limit';
import { expect } from 'vitest';
import { newFolder } from '../helpers/files.js';
import { longTest, sample } from '../helpers/runs.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { watchService } from '../helpers/watched-service.js';
import {
  checkComplete,
  command,
  type Job,
  makeJob,
  repeated,
  reportIn,
  runsOf,
  shownIds,
  startJob,
} from './job.js';

const RECORDS = 300;

/** What becomes of a journal's write-ahead log. */
const LOSSES: Readonly<Record<string, (log: string) => void>> = {
  'is gone': (log) => rmSync(log),
  'is empty': (log) => truncateSync(log),
  'is cut': (log) => truncateSync(log, Math.floor(readFileSync(log).byteLength / 4)),
  'has a flipped bit': (log) => {
    const bytes = readFileSync(log);
    bytes[Math.floor(bytes.byteLength / 4)]! ^= 1;
    writeFileSync(log, bytes);
  },
};

/** An import that is killed in the middle, once a third of its requests were made. */
async function killedJob(): Promise<{ readonly job: Job; readonly run: string }> {
  const sandbox = await startTestSandbox();
  let kill = (): void => {};
  const { baseUrl, idle } = await watchService(sandbox, ({ number }, pass) => {
    if (number === 20) kill();
    return pass();
  });
  const job = await makeJob({
    folder: newFolder(),
    sandbox,
    baseUrl,
    records: RECORDS,
    batchSize: 5,
  });
  const { child, ended } = startJob(job);
  kill = () => child.kill('SIGKILL');
  await ended;
  await idle();
  const [run = ''] = await runsOf(job);
  return { job, run };
}

function logOf({ folder }: Job, run: string): string {
  return path.join(folder, '.docferry/runs', run, 'journal.db-wal');
}

/** The job in a folder of its own, with all that is there by now. */
function copyOf(job: Job): Job {
  const place = newFolder();
  cpSync(job.folder, place, { recursive: true, preserveTimestamps: true });
  return { ...job, folder: place, surroundings: { ...job.surroundings, cwd: place } };
}

longTest('a run whose journal lost its log stops before it sends anything twice', async () => {
  const { job, run } = await killedJob();
  const sent = await shownIds(job);
  expect(sent.length).toBeGreaterThan(RECORDS / 4);
  const resumed = sample(Object.entries(LOSSES)).map(([loss, lose]) => {
    return { loss, lose, more: ['--resume'] };
  });
  // Whoever begins anew is stopped as well.
  const anew = { loss: 'begun anew', lose: (log: string) => rmSync(log), more: [] };
  await pLimit(4).map([...resumed, anew], async ({ loss, lose, more }) => {
    const copy = copyOf(job);
    lose(logOf(copy, run));
    const ended = await startJob(copy, more).ended;
    expect(ended.code, `${loss}: ${ended.stderr}`).toBe(4);
    const report = reportIn(ended);
    expect(report, loss).toMatchObject({
      resumable: true,
      batches: 0,
      stop: { kind: 'changed' },
    });
    expect(report.stop?.message).toMatch(/the service has \d+ of the first .*--unsent reconcile/);
  });
  expect(await shownIds(job)).toEqual(sent);

  rmSync(logOf(job, run));
  const reconciling = ['--resume', run, '--unsent', 'reconcile'];
  await checkComplete(job, await startJob(job, reconciling).ended);
});

longTest('a run begun anew without a journal sends what is missing, if told so', async () => {
  const { job } = await killedJob();
  rmSync(path.join(job.folder, '.docferry'), { recursive: true });
  const report = await checkComplete(job, await startJob(job, ['--unsent', 'reconcile']).ended);
  expect(report.counts.accepted).toBe(RECORDS);
});

longTest('what is there already is sent again only by who says so', async () => {
  const { job, run } = await killedJob();
  rmSync(logOf(job, run));
  const ended = await command(job, 'runs', 'resume', run, '--unsent', 'send', '--json');
  expect(reportIn(ended).exitCode).toBe(0);
  expect(repeated(await shownIds(job)).length).toBeGreaterThan(RECORDS / 4);
});

longTest('a resumed run whose journal is whole goes on without a stop', async () => {
  const { job } = await killedJob();
  await checkComplete(job, await startJob(job, ['--resume']).ended);
});
