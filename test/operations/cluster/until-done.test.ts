import { expect, it } from 'vitest';
import { beginImport, startWorker } from '../../../src/index.js';
import { newFolder, put } from '../../helpers/files.js';
import { HAS } from '../../helpers/needs.js';
import { MAPPING } from '../../helpers/reviews.js';
import { shownDocuments } from '../../helpers/sandbox-documents.js';
import { newSharedState } from '../../helpers/shared-state.js';
import { startWithMonitoring } from '../../helpers/start-sandbox.js';
import { lines, reviews } from '../../reliability/job.js';

it.runIf(HAS.postgres)(
  'a worker for one run does all of it where nobody else is left',
  async () => {
    const state = await newSharedState({ beatMs: 100, expiryMs: 600, marginMs: 100 });
    const sandbox = await startWithMonitoring();
    const { baseUrl, username, apiKey } = sandbox;
    const connection = { baseUrl, username, apiKey };
    const input = put(newFolder(), 'reviews.jsonl', lines(reviews(30)));
    const run = await beginImport({ state, input, mapping: MAPPING, monitoring: 1, connection });
    await startWorker({ state, connection, untilDone: run });
    expect(await shownDocuments(sandbox)).toHaveLength(30);
  },
);
