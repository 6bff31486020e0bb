import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { HAS } from '../helpers/needs.js';
import { randomFrom } from '../helpers/random-from.js';
import { MAPPING } from '../helpers/reviews.js';
import { environmentOf, startDocferry } from '../helpers/run-cli.js';
import { cases, longTest } from '../helpers/runs.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { forSeeds } from '../helpers/seeds.js';
import { newSharedState } from '../helpers/shared-state.js';
import { startTestSandbox, type TestSandbox } from '../helpers/start-sandbox.js';
import { watchService } from '../helpers/watched-service.js';
import { lines, reviews, SHORT_LEASES } from './job.js';

const RECORDS = 200;
const SEEDS = cases(2, 60);
const MAX_SEED_MS = 90_000;
const ALL = reviews(RECORDS).map(({ id }) => id);

longTest.skipIf(!HAS.postgres)(
  'an import of stdin is killed and begun anew again and again, and its memory is a database: everything is there once',
  { timeout: SEEDS * MAX_SEED_MS },
  async () => {
    const sandbox = await slowSandbox();
    let monitoring = 0;
    await forSeeds(SEEDS, 2, async (seed) => {
      monitoring += 1;
      const own = monitoring;
      await sandbox.ensureMonitoring(own);
      const random = randomFrom(seed);
      const { baseUrl, imports, idle } = await watchService(sandbox);
      const state = await newSharedState(SHORT_LEASES);
      const env = { ...environmentOf({ ...sandbox, baseUrl }), DOCFERRY_STATE: state };
      const start = () => fromStdin(env, own);
      for (let kills = 1 + Math.floor(random() * 3); kills > 0; kills -= 1) {
        const before = imports.length;
        const { child, ended } = start();
        while (imports.length === before && child.exitCode === null) await wait(5);
        await wait(random() ** 2 * 400);
        child.kill('SIGKILL');
        await ended;
        await idle();
      }
      const { code, stderr } = await start().ended;
      expect(code, stderr).toBe(0);
      const there = (await shownDocuments(sandbox, own)).map(({ sourceId }) => sourceId);
      expect(there.toSorted()).toEqual(ALL.toSorted());
    });
  },
);

/** Answers take a while, so that there is always something in flight. */
async function slowSandbox(): Promise<TestSandbox> {
  return await startTestSandbox({
    pageSize: 500,
    faults: { rules: [{ on: 'import', latency: { from: 5, to: 60 } }] },
  });
}

type Environment = Readonly<Record<string, string>>;

function fromStdin(env: Environment, monitoring: number): ReturnType<typeof startDocferry> {
  const folder = newFolder();
  put(folder, 'mapping.json', JSON.stringify(MAPPING));
  const job = ['--mapping', 'mapping.json', '--monitoring', `${monitoring}`, '--format', 'jsonl'];
  const pace = [
    '--batch-size',
    '10',
    '--concurrency',
    '3',
    '--settle-time',
    '0.6',
    '--timeout',
    '0.6',
  ];
  return startDocferry(['import', '-', ...job, ...pace, '--refusals', 'atomic'], {
    cwd: folder,
    env,
    stdin: lines(reviews(RECORDS)),
  });
}
