/** What becomes of a worker whose state is away: see docs/cluster.md. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished } from 'vitest';
import { newFolder } from '../helpers/files.js';
import { HAS } from '../helpers/needs.js';
import { startPostgres, type TestPostgres } from '../helpers/postgres.js';
import { environmentOf, startDocferry } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';
import { newSharedState } from '../helpers/shared-state.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';
import { makeJob, SHORT_LEASES, shownIds, startJob } from '../reliability/job.js';

const PATIENT = { timeout: 30_000 };
const WAITS = /Waiting for it for up to a minute\.\n$/;

describe.runIf(HAS.ownPostgres)('a worker', () => {
  longTest('ends when told to while it waits for one that isn’t there', async () => {
    const server = await startPostgres();
    await server.kill9();
    const worker = startWorker(server.url);
    await worker.says(/can't be reached: nothing is listening there/);
    await worker.says(WAITS);
    expect(await worker.end()).toBe(0);
  });

  longTest('ends at once where it is refused', async () => {
    const server = await startPostgres();
    const { ended } = startWorker(server.url.replace(/:\w+@/, ':wrong@'));
    const { code, stderr } = await ended;
    expect(stderr).toMatch(/refuses the password: check user and password in the address\.\n$/);
    expect(stderr).not.toMatch(WAITS);
    expect(code).toBe(2);
  });

  longTest(
    'that its state refuses later waits, and goes on once it is let in',
    { timeout: 120_000 },
    async () => {
      const server = await startPostgres();
      await server.query("CREATE USER worker PASSWORD 'secretpassword'");
      await server.query('GRANT CREATE ON DATABASE postgres TO worker');
      const address = server.url.replace(/\/\/.*@/, '//worker:secretpassword@');
      const state = await newSharedState(SHORT_LEASES, address);
      const job = await makeJob({
        ...{ folder: newFolder(), sandbox: await startWithMonitoring(), records: 20, state },
      });
      const worker = startWorker(state, job.surroundings.env);
      await expect.poll(() => sessions(server), PATIENT).toBe(1);
      await server.query('ALTER USER worker NOLOGIN');
      const backends = "FROM pg_stat_activity WHERE usename = 'worker'";
      await server.query(`SELECT pg_terminate_backend(pid) ${backends}`);
      await worker.says(/refuses the user: check the user in the address/);
      await sleep(3_000);
      // It tries again with every beat, and says so once for the session and once for the queue.
      expect(worker.written().stderr.match(/refuses the user/g)?.length).toBeLessThan(3);
      await server.query('ALTER USER worker LOGIN');
      const { code, stderr } = await startJob(job, ['--no-work']).ended;
      expect(code, stderr).toBe(0);
      expect(await shownIds(job)).toHaveLength(20);
      expect(await worker.end()).toBe(0);
    },
  );

  longTest(
    'ends after a minute without a state, and goes on however long one was away',
    async () => {
      const absent = await startPostgres();
      await absent.kill9();
      const without = startWorker(absent.url);
      const server = await startPostgres();
      const state = await newSharedState(SHORT_LEASES, server.url);
      const job = await makeJob({
        ...{ folder: newFolder(), sandbox: await startWithMonitoring(), records: 20, state },
      });
      const worker = startWorker(state, job.surroundings.env);
      await expect.poll(() => sessions(server), PATIENT).toBe(1);
      await server.kill9();
      // Two statements have been waited for in vain.
      await worker.says(/can't be reached(.*\n)+.*can't be reached/, 200_000);
      await server.restart();
      const { code, stderr } = await startJob(job, ['--no-work']).ended;
      expect(code, stderr).toBe(0);
      expect(await shownIds(job)).toHaveLength(20);
      expect(await worker.end()).toBe(0);
      const given = await without.ended;
      expect(given.stderr).toMatch(
        /docferry: The state .* can't be reached: nothing is listening there\..*\n$/,
      );
      expect(given.code).toBe(4);
    },
    240_000,
  );
});

function startWorker(state: string, env: NodeJS.ProcessEnv = {}) {
  const worker = startDocferry(['worker'], {
    cwd: newFolder(),
    env: { ...environmentOf({ baseUrl: 'http://127.0.0.1:1/5.0' }), ...env, DOCFERRY_STATE: state },
  });
  const { child, ended } = worker;
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    ...worker,
    /** Much sooner than a statement waits for the database. */
    end: async (): Promise<number | null> => {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 20_000);
      const { code, stderr } = await ended;
      clearTimeout(late);
      expect(code, stderr).not.toBeNull();
      return code;
    },
  };
}

async function sessions(server: TestPostgres): Promise<number> {
  const rows = await server.query('SELECT FROM docferry.sessions WHERE NOT fenced').catch(() => []);
  return rows.length;
}
