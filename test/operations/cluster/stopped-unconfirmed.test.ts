import { expect } from 'vitest';
import { PostgresStore } from '../../../src/runs/postgres/store.js';
import { newFolder } from '../../helpers/files.js';
import { HAS } from '../../helpers/needs.js';
import { startDocferry } from '../../helpers/run-cli.js';
import { longTest } from '../../helpers/runs.js';
import { newSharedState } from '../../helpers/shared-state.js';
import { startWithMonitoring } from '../../helpers/start-sandbox.js';
import { checkEnded, makeJob, SHORT_LEASES } from '../../reliability/job.js';

const PATIENT = { timeout: 20_000 };

longTest.runIf(HAS.postgres)(
  'a run that is stopped where a killed worker has left its requests tells of them as unknown',
  async () => {
    const state = await newSharedState(SHORT_LEASES);
    // Nothing is answered, so that all is under way.
    const rules = [{ on: 'import', latency: { from: 60_000, to: 60_000 } }] as const;
    const sandbox = await startWithMonitoring({ faults: { rules } });
    const job = await makeJob({ folder: newFolder(), sandbox, state, records: 40, batchSize: 5 });
    const importing = startDocferry([...job.arguments, '--no-work'], job.surroundings);
    const worker = startDocferry(['worker'], job.surroundings);
    const store = await PostgresStore.open(state);
    const intents = () => store.database.rows("SELECT FROM docferry.entries WHERE kind = 'intent'");
    await expect.poll(async () => (await intents()).length, PATIENT).toBeGreaterThan(0);
    worker.child.kill('SIGKILL');
    const [id] = await store.list();
    const stop = { kind: 'interrupted', message: 'it was interrupted' };
    await store.stopRun(await store.find(id as string), stop);
    await store.close();
    const { counts } = await checkEnded(job, await importing.ended);
    expect(counts.unknown).toBeGreaterThan(0);
    expect(counts.unknown % 5).toBe(0);
  },
);
