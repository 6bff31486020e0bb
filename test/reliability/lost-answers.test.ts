import { expect } from 'vitest';
import type { FaultRule } from '../../src/sandbox/index.js';
import { newFolder } from '../helpers/files.js';
import { randomFrom } from '../helpers/random-from.js';
import { cases, eachSample, longTest } from '../helpers/runs.js';
import { forSeeds } from '../helpers/seeds.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { watchService } from '../helpers/watched-service.js';
import { checkComplete, checkMeanwhile, makeJob, STORES, startJob } from './job.js';

longTest.each(STORES)(
  'a process killed between commit and answer sends nothing twice, on %s',
  async (store) => {
    const sandbox = await startTestSandbox();
    const records = 400;
    const batchSize = 20;
    let jobs = 0;
    await forSeeds(cases(3, 200), 4, async (seed) => {
      jobs += 1;
      const monitoring = jobs;
      const fatal = 1 + Math.floor((randomFrom(seed)() * records) / batchSize);
      let kill = (): void => {};
      const { baseUrl, idle } = await watchService(sandbox, async ({ number }, pass) => {
        const told = await pass();
        if (number !== fatal) return told;
        kill();
        return undefined;
      });
      const settings = {
        folder: newFolder(),
        store,
        sandbox,
        monitoring,
        baseUrl,
        records,
        batchSize,
      };
      const job = await makeJob(settings);
      const { child, ended } = startJob(job);
      kill = () => child.kill('SIGKILL');
      expect((await ended).code).toBeNull();
      await idle();
      await checkMeanwhile(job);
      await checkComplete(job, await startJob(job, ['--resume']).ended);
    });
  },
);

longTest.each(STORES)(
  'connections that are reset after every tenth commit cost nothing, on %s',
  async (store) => {
    const requests = cases(120, 10_000);
    const rules: FaultRule[] = [{ on: 'import', every: 10, reset: 'after' }];
    const sandbox = await startTestSandbox({ faults: { rules } });
    const job = await makeJob({
      folder: newFolder(),
      store,
      sandbox,
      records: 2 * requests,
      batchSize: 2,
    });
    const report = await checkComplete(job, await startJob(job).ended);
    expect(report.batches).toBe(requests);
    expect(report.counts.accepted).toBe(2 * requests);
  },
);

eachSample()(['error', 'stored'] as const)(
  'of a batch that is stored in part, with an answer "%s", only what is missing is sent again',
  async (answer) => {
    const size = 8;
    // Every second request stores 0, 1, 2 … all of its documents; those between go well.
    const rules = Array.from({ length: size + 1 }, (_, stored): FaultRule => {
      return { on: 'import', requests: [2 * stored + 2], apply: { documents: stored, answer } };
    });
    // All that is stored with an answer that says so is no fault.
    if (answer === 'stored') rules.pop();
    const sandbox = await startTestSandbox({ faults: { rules } });
    const { baseUrl, imports } = await watchService(sandbox);
    const records = size * (2 * size + 4);
    const settings = { folder: newFolder(), sandbox, baseUrl, records };
    const job = await makeJob({ ...settings, batchSize: size, concurrency: 1 });
    await checkComplete(job, await startJob(job).ended);

    const sent = imports.flatMap(({ ids }) => ids);
    const missing = rules.flatMap((_, stored) => imports[2 * stored + 1]!.ids.slice(stored));
    expect(sent.slice(job.ids.length).toSorted()).toEqual(missing.toSorted());
  },
);
