import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { newFolder } from '../helpers/files.js';
import { type Ended, follow, MAIN } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { holdImports } from '../helpers/watched-service.js';
import { checkComplete, checkEnded, type Job, makeJob, shownIds, startJob } from './job.js';

const BATCHES = 20;

/** A job whose imports from number `from` on get no answer until they are let go. */
async function holdImport(from: number, count: number) {
  const sandbox = await startTestSandbox();
  const service = await holdImports(sandbox, from, count);
  const settings = {
    folder: newFolder(),
    sandbox,
    baseUrl: service.baseUrl,
    records: 20 * BATCHES,
  };
  // What is held is not to be given up for lost.
  const job = await makeJob({ ...settings, patienceMs: 20_000 });
  return { job, service, held: service.held, letGo: service.letGo };
}

/** Types a command into a shell that knows where docferry is. */
function type(line: string, { surroundings, folder: place }: Job): Promise<Ended> {
  const bin = path.join(place, 'bin');
  mkdirSync(bin);
  symlinkSync(MAIN, path.join(bin, 'docferry'));
  const { PATH, HOME } = process.env;
  const env = { ...surroundings.env, HOME, PATH: `${bin}${path.delimiter}${PATH}` };
  return follow(spawn('sh', ['-c', line], { cwd: place, env })).ended;
}

test('an interruption waits for what is in flight, and says what to type to resume', async () => {
  const { job, held, letGo } = await holdImport(5, 4);
  const { child, ended } = startJob(job);
  await held;
  child.kill('SIGINT');
  await wait(200);
  letGo();
  const interrupted = await ended;
  const report = await checkEnded(job, interrupted);
  expect(report).toMatchObject({ exitCode: 130, status: 'interrupted', resumable: true });
  expect(report.counts).toMatchObject({ accepted: 160, unknown: 0 });

  const [, line = ''] = /^To resume: (docferry .+)$/m.exec(interrupted.stderr) ?? [];
  expect(line).toContain(report.run);
  const finished = await type(line, job);
  expect(finished.code, finished.stderr).toBe(0);
  expect(await shownIds(job)).toEqual(job.ids.toSorted());
});

longTest.each([['SIGINT', 'SIGTERM']] as const)(
  '%s and %s within a second are one: what is in flight is waited for',
  async (...signals) => {
    const { job, held, letGo } = await holdImport(5, 4);
    const { child, ended } = startJob(job);
    await held;
    for (const signal of signals) {
      child.kill(signal);
      // One that came at once would not even arrive: the system makes one of both.
      await wait(100);
    }
    await wait(200);
    letGo();
    const report = await checkEnded(job, await ended);
    expect(report).toMatchObject({ exitCode: 130, resumable: true });
    expect(report.counts).toMatchObject({ accepted: 160, unknown: 0 });
  },
);

longTest('a second interruption waits for nothing, and nothing is lost by it', async () => {
  const { job, service, held, letGo } = await holdImport(5, 4);
  const { child, ended } = startJob(job);
  await held;
  child.kill('SIGINT');
  await wait(1_200);
  child.kill('SIGINT');
  // Nothing is ever answered meanwhile: it ends because nobody waits for that.
  const report = await checkEnded(job, await ended);
  expect(report).toMatchObject({ exitCode: 130, resumable: true });
  expect(report.counts).toMatchObject({ accepted: 80, unknown: 80 });

  letGo();
  await wait(100);
  await service.idle();
  const seconds = ['--timeout', '0.6', '--settle-time', '0.6'];
  const again = { ...job, arguments: [...job.arguments.slice(0, -4), ...seconds] };
  await checkComplete(job, await startJob(again, ['--resume', report.run]).ended);
});
