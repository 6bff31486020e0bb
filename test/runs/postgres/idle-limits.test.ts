/** Servers that end connections which are idle for too long. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Database } from '../../../src/runs/postgres/database/database.js';
import { newFolder } from '../../helpers/files.js';
import { HAS } from '../../helpers/needs.js';
import { newDatabase } from '../../helpers/postgres.js';
import { longTest } from '../../helpers/runs.js';
import { newSharedState } from '../../helpers/shared-state.js';
import { startTestSandbox } from '../../helpers/start-sandbox.js';
import { watchService } from '../../helpers/watched-service.js';
import { checkComplete, makeJob, startJob } from '../../reliability/job.js';

/** Blocks this thread, so that it doesn't notice meanwhile that the server has hung up. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

async function open(settings: Readonly<Record<string, string>>): Promise<Database> {
  const database = await Database.open(await newDatabase(settings));
  onTestFinished(() => database.close());
  return database;
}

describe.skipIf(!HAS.postgres)('a connection that was ended because it was idle', () => {
  it('is opened anew for a statement', async () => {
    const database = await open({ idle_session_timeout: '500ms' });
    block(1500);
    expect(await database.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('is opened anew for a whole transaction', async () => {
    const database = await open({ idle_in_transaction_session_timeout: '500ms' });
    let tries = 0;
    const rows = await database.transaction(async (transaction) => {
      await transaction.rows('SELECT 1');
      tries += 1;
      if (tries === 1) block(1500);
      return await transaction.rows('SELECT 2 AS two');
    });
    expect(rows).toEqual([{ two: 2 }]);
    expect(tries).toBe(2);
  });

  it('is named with the limit if that is too short for any', async () => {
    const database = await open({ idle_in_transaction_session_timeout: '300ms' });
    const sleepy = database.transaction(
      async (transaction) => {
        await transaction.rows('SELECT 1');
        block(900);
        return await transaction.rows('SELECT 2');
      },
      () => false,
    );
    await expect(sleepy).rejects.toThrow(/idle-in-transaction timeout\): raise that limit/);
  });

  longTest('keeps no import from its end', async () => {
    const database = await newDatabase({ idle_session_timeout: '200ms' });
    const state = await newSharedState({}, database);
    const sandbox = await startTestSandbox();
    const { baseUrl, idle } = await watchService(sandbox, async ({ number }, pass) => {
      if (number > 0) await sleep(300);
      return await pass();
    });
    const folder = newFolder();
    const job = await makeJob({
      folder,
      sandbox,
      baseUrl,
      records: 200,
      state,
      patienceMs: 3_000,
    });
    await checkComplete(job, await startJob(job).ended);
    await idle();
  });
});
