import { expect } from 'vitest';
import { importDocuments } from '../../../src/index.js';
import { Database } from '../../../src/runs/postgres/database/database.js';
import { newFolder, put } from '../../helpers/files.js';
import { HAS } from '../../helpers/needs.js';
import { MAPPING } from '../../helpers/reviews.js';
import { longTest } from '../../helpers/runs.js';
import { newSharedState } from '../../helpers/shared-state.js';
import { startWithMonitoring } from '../../helpers/start-sandbox.js';
import { lines, reviews } from '../../reliability/job.js';

/** What is refused for good, by the table. */
const REFUSED = { shards: "state <> 'leased'", entries: "kind = 'intent'" };

longTest.runIf(HAS.postgres).each(Object.entries(REFUSED))(
  'an import whose state refuses to be written (%s) ends with the reason, and can be resumed',
  async (table, check) => {
    const state = await newSharedState();
    const { baseUrl, username, apiKey } = await startWithMonitoring();
    const importing = {
      ...{ state, mapping: MAPPING, monitoring: 1, throwOn: 'never' as const },
      input: put(newFolder(), 'reviews.jsonl', lines(reviews(30))),
      connection: { baseUrl, username, apiKey },
    };
    const database = await Database.open(state);
    await database.rows(`ALTER TABLE docferry.${table} ADD CONSTRAINT broken CHECK (${check})`);
    await expect(importDocuments(importing)).rejects.toThrow(/failed: .*broken/);
    await database.rows(`ALTER TABLE docferry.${table} DROP CONSTRAINT broken`);
    await database.close();
    const { counts } = await importDocuments({ ...importing, resume: true });
    expect(counts).toMatchObject({ accepted: 30, duplicate: 0 });
  },
);
