import { expect } from 'vitest';
import type { FaultRule } from '../../src/sandbox/index.js';
import { newFolder } from '../helpers/files.js';
import { eachSample } from '../helpers/runs.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { watchService } from '../helpers/watched-service.js';
import { checkComplete, makeJob, startJob } from './job.js';

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
