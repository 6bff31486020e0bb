import { expect, it } from 'vitest';
import { importDocuments } from '../../../src/index.js';
import { PostgresStore } from '../../../src/runs/postgres/store.js';
import { newFolder, put } from '../../helpers/files.js';
import { HAS } from '../../helpers/needs.js';
import { MAPPING } from '../../helpers/reviews.js';
import { newSharedState } from '../../helpers/shared-state.js';
import { startWithMonitoring } from '../../helpers/start-sandbox.js';
import { lines, reviews } from '../../reliability/job.js';

const PATIENT = { timeout: 20_000 };

it.runIf(HAS.postgres)(
  'who leaves the work to others ends the run also without its lease',
  async () => {
    const state = await newSharedState({ beatMs: 100, expiryMs: 2_000, marginMs: 500 });
    const { baseUrl, username, apiKey } = await startWithMonitoring();
    const importing = importDocuments({
      ...{ state, mapping: MAPPING, monitoring: 1, work: false, throwOn: 'never' },
      input: put(newFolder(), 'reviews.jsonl', lines(reviews(3))),
      connection: { baseUrl, username, apiKey },
    });
    const store = await PostgresStore.open(state);
    await expect.poll(() => store.list(), PATIENT).toHaveLength(1);
    const [id] = await store.list();
    const { run } = await store.find(id as string);
    await expect.poll(async () => (await store.progress(run)).planned, PATIENT).toBe(true);
    await store.database.rows('UPDATE docferry.sessions SET fenced = true');
    await store.stopRun({ run }, { kind: 'interrupted', message: 'it was interrupted' });
    expect(await importing).toMatchObject({ status: 'interrupted', exitCode: 130 });
    await store.close();
  },
);
