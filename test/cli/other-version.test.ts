/** What can be done with a run in a shared state that another version of docferry began. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished } from 'vitest';
import { VERSION } from '../../src/model/version.js';
import { newFolder } from '../helpers/files.js';
import { HAS } from '../helpers/needs.js';
import { queryOf } from '../helpers/postgres.js';
import { type Ended, startDocferry } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';
import { newSharedState } from '../helpers/shared-state.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';
import { watchService } from '../helpers/watched-service.js';
import {
  command,
  type Job,
  makeJob,
  repeated,
  reportIn,
  runsOf,
  SHORT_LEASES,
  shownIds,
  startJob,
} from '../reliability/job.js';

const OTHER = '0.9.0';

describe.skipIf(!HAS.postgres)('a run that another version began', () => {
  longTest(
    'is neither resumed nor changed, and cancelling it lets a new import begin',
    async () => {
      const { job, run, version, rows } = await begunByOther();
      const before = await rows();
      const ended = await command(job, 'runs', 'resume', run);
      expectRefusal(ended, run, version);
      expect(ended.stderr).toContain(`once \`docferry runs cancel ${run}\` has ended it`);
      expect(await rows()).toEqual(before);
      await expectCancelled(job, run);
      const again = await startJob(job).ended;
      expect(again.code, again.stderr).toBe(0);
      expect(await shownIds(job)).toEqual(job.ids.toSorted());
    },
  );

  longTest('is refused by all that would resume it, and left alone by a worker', async () => {
    const { job, run, version, rows } = await begunByOther();
    const before = await rows();
    expectRefusal(await command(job, 'runs', 'retry', run), run, version);
    expectRefusal(await startJob(job, ['--resume']).ended, run, version);
    expectRefusal(await startJob(job, ['--resume', '--detach']).ended, run, version);
    const worker = startDocferry(['worker'], job.surroundings);
    onTestFinished(() => void worker.child.kill('SIGKILL'));
    await worker.says(/workers need the same version/);
    worker.child.kill('SIGTERM');
    expect((await worker.ended).code).toBe(0);
    expect(await rows()).toEqual(before);
    expect(await shownIds(job)).toEqual([]);
  });

  longTest('and still processes, is stopped with its own report', async () => {
    const { job, importing, run, version, query } = await slowImport();
    await query(`UPDATE docferry.runs SET version = '${OTHER}'`);
    expectRefusal(await command(job, 'runs', 'resume', run), run, version);
    await expectCancelled(job, run);
    const ended = await importing.ended;
    expect(ended.code, ended.stderr).toBe(130);
    const { accepted } = reportIn(ended).counts;
    expect(await shownIds(job)).toHaveLength(accepted);
  });

  longTest('and was killed, is ended once its lease has expired', { timeout: 60_000 }, async () => {
    const { job, importing, run, query } = await slowImport();
    importing.child.kill('SIGKILL');
    await importing.ended;
    await query(`UPDATE docferry.runs SET version = '${OTHER}'`);
    await expectCancelled(job, run);
    const again = await startJob(job).ended;
    expect(again.stdout, again.stderr).not.toBe('');
    expect(repeated(await shownIds(job))).toEqual([]);
  });
});

/** An import that no process works on, with what the state has of it. */
async function begunByOther() {
  const state = await newSharedState();
  const sandbox = await startWithMonitoring();
  const job = await makeJob({ folder: newFolder(), sandbox, records: 40, state });
  const detached = await startJob(job, ['--detach']).ended;
  const query = await queryOf(state);
  await query(`UPDATE docferry.runs SET version = '${OTHER}'`);
  const rows = async () => [
    await query('SELECT * FROM docferry.runs'),
    await query('SELECT * FROM docferry.facts ORDER BY name'),
    await query('SELECT input, part, state, session, report FROM docferry.shards'),
  ];
  return { job, run: detached.stdout.trim(), version: VERSION, query, rows };
}

/** An import in the middle of its requests. */
async function slowImport() {
  const state = await newSharedState(SHORT_LEASES);
  const sandbox = await startWithMonitoring();
  const { baseUrl, imports } = await watchService(sandbox, async ({ number }, pass) => {
    if (number > 0) await sleep(300);
    return await pass();
  });
  const settings = { folder: newFolder(), sandbox, baseUrl, records: 600, state };
  const job = await makeJob({ ...settings, concurrency: 1, patienceMs: 2_000 });
  const importing = startJob(job);
  onTestFinished(() => void importing.child.kill('SIGKILL'));
  await expect.poll(() => imports.length, { timeout: 20_000 }).toBeGreaterThan(2);
  const [run = ''] = await runsOf(job);
  return { job, importing, run, version: VERSION, query: await queryOf(state) };
}

function expectRefusal({ code, stdout, stderr }: Ended, run: string, version: string): void {
  expect(stderr).toContain(
    `The run ${run} was started with docferry ${OTHER}, and this is docferry ${version}`,
  );
  expect(stderr).toContain(
    `Resume it with docferry ${OTHER}, or start a new import without --resume`,
  );
  // With --json, the error is on stdout, too.
  expect(code).toBe(2);
  expect(stdout).toMatch(/^($|\{\n {2}"error": )/);
}

async function expectCancelled(job: Job, run: string): Promise<void> {
  const cancelled = await command(job, 'runs', 'cancel', run);
  expect(cancelled).toMatchObject({ code: 0, stdout: `The run ${run} is being stopped.\n` });
  const shown = await command(job, 'runs', 'show', run, '--json');
  expect(JSON.parse(shown.stdout)).toMatchObject({
    report: { run, status: 'interrupted', stop: { message: 'the run was cancelled' } },
  });
}
