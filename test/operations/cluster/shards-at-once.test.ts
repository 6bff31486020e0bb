import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { importDocuments } from '../../../src/index.js';
import { newFolder, put } from '../../helpers/files.js';
import { HAS } from '../../helpers/needs.js';
import { MAPPING } from '../../helpers/reviews.js';
import { shownDocuments } from '../../helpers/sandbox-documents.js';
import { newSharedState } from '../../helpers/shared-state.js';
import { startWithMonitoring } from '../../helpers/start-sandbox.js';
import { watchService } from '../../helpers/watched-service.js';
import { lines, reviews } from '../../reliability/job.js';

it.runIf(HAS.postgres)(
  'a process sends the next shards while requests of one are in flight, as many at a time as it may',
  async () => {
    const state = await newSharedState({ minShardBytes: 1 });
    const sandbox = await startWithMonitoring();
    let [inFlight, most] = [0, 0];
    const { baseUrl, imports } = await watchService(sandbox, async ({ number }, pass) => {
      if (number === 0) return await pass();
      inFlight += 1;
      most = Math.max(most, inFlight);
      // Until as many are there as may be, which isn't so for the first, if the input is still being cut.
      for (let waited = 0; most < 3 && waited < 1_000; waited += 20) await sleep(20);
      inFlight -= 1;
      return await pass();
    });
    const { username, apiKey } = sandbox;
    const report = await importDocuments({
      ...{ state, mapping: MAPPING, monitoring: 1, concurrency: 3 },
      connection: { baseUrl, username, apiKey },
      input: put(newFolder(), 'reviews.jsonl', lines(reviews(60))),
      source: { chunkBytes: 200 },
    });
    expect(report.counts).toMatchObject({ read: 60, accepted: 60 });
    expect(await shownDocuments(sandbox)).toHaveLength(60);
    // Each shard is one request: it holds fewer documents than a batch.
    expect(imports.length).toBeGreaterThan(10);
    expect(most).toBe(3);
  },
);
