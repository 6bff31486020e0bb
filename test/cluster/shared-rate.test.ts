import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { beginImport, startWorker } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';
import { HAS } from '../helpers/needs.js';
import { MAPPING } from '../helpers/reviews.js';
import { longTest } from '../helpers/runs.js';
import { newSharedState } from '../helpers/shared-state.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';
import { watchService } from '../helpers/watched-service.js';
import { lines, reviews } from '../reliability/job.js';

const RATE = 20;
const MEASURED_MS = 3_000;

longTest.runIf(HAS.postgres)(
  'workers share the rate of an import, and the last one gets all of it',
  { timeout: 60_000 },
  async () => {
    const state = await newSharedState({ minShardBytes: 1 });
    const sandbox = await startWithMonitoring();
    const { username, apiKey } = sandbox;
    const { baseUrl, imports } = await watchService(sandbox);
    const connection = { baseUrl, username, apiKey };
    const input = put(newFolder(), 'reviews.jsonl', lines(reviews(1_500)));
    await beginImport({
      ...{ state, input, mapping: MAPPING, monitoring: 1, connection },
      ...{ rate: RATE, batchSize: 1, concurrency: 8, source: { chunkBytes: 2_000 } },
    });
    const [first, other] = [new AbortController(), new AbortController()];
    const working = [first, other].map(({ signal }) => startWorker({ state, connection, signal }));
    const requestsASecond = async (): Promise<number> => {
      const before = imports.length;
      await sleep(MEASURED_MS);
      return ((imports.length - before) * 1_000) / MEASURED_MS;
    };
    const settled = async (): Promise<void> => {
      const before = imports.length;
      await expect.poll(() => imports.length, { timeout: 20_000 }).toBeGreaterThan(before + RATE);
      await sleep(2_000);
    };

    await settled();
    const together = await requestsASecond();
    first.abort();
    await working[0];
    await settled();
    const alone = await requestsASecond();
    other.abort();
    await working[1];

    for (const requests of [together, alone]) {
      expect(requests).toBeGreaterThan(0.7 * RATE);
      expect(requests).toBeLessThan(1.15 * RATE);
    }
  },
);
