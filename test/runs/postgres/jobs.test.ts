import { expect, it } from 'vitest';
import { runJobs } from '../../../src/runs/postgres/jobs.js';
import { addJobs, makeQueue } from '../../../src/runs/postgres/queue.js';
import { PostgresStore } from '../../../src/runs/postgres/store.js';
import { HAS } from '../../helpers/needs.js';
import { newDatabase } from '../../helpers/postgres.js';

it.runIf(HAS.postgres)('a job that fails while no more are taken is told of once', async () => {
  const { database } = await PostgresStore.open(await newDatabase());
  await makeQueue(database);
  await addJobs(database, 'finish', [{ key: 'one', hint: { run: 1 } }]);
  const ending = new AbortController();
  const running = runJobs(database, {
    signal: ending.signal,
    take: async () => {
      ending.abort();
      throw new Error('its lease is lost');
    },
  });
  // What nobody awaits fails the test as well.
  await expect(running).rejects.toThrow('its lease is lost');
  await database.close();
});
