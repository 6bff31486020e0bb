import { describe, expect, it } from 'vitest';
import { openTransport } from '../../src/api/http-transport.js';
import { postDocuments } from '../../src/api/import-documents.js';
import type { Verdict } from '../../src/delivery/judge-answer.js';
import { systemClock } from '../../src/delivery/pacing/clock.js';
import { sendBatches } from '../../src/delivery/send-batches.js';
import { type Batch, rangeBytes } from '../../src/model/documents.js';
import type { SandboxOptions } from '../../src/sandbox/index.js';
import { documentsOf } from '../helpers/documents.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { meansOf, SETTINGS } from './simulated-service.js';

function* batchesOf(count: number, size: number): Generator<Batch> {
  for (let batch = 0; batch < count; batch += 1) {
    const documents = documentsOf(
      Array.from({ length: size }, (_, at) => ({
        source: 'RVW',
        sourceId: String(batch * size + at),
        text: 'good',
      })),
    );
    const ranges = [{ documents, from: 0, to: size }];
    yield { ranges, count: size, bytes: documents.bytes.length - 1 };
  }
}

/** Delivers to a sandbox that misbehaves, and tells what it has in the end. */
async function deliverTo(faults: SandboxOptions['faults'], batches: Iterable<Batch>) {
  const sandbox = await startTestSandbox(faults === undefined ? {} : { faults });
  await sandbox.ensureMonitoring(1);
  const transport = openTransport(sandbox, 32);
  const verdicts: Verdict[] = [];
  const result = await sendBatches(
    (async function* () {
      yield* batches;
    })(),
    {
      intend: async () => true,
      send: ({ ranges }) => postDocuments(transport, 1, ranges.map(rangeBytes)),
      withdraw: () => {},
      answered: (_, verdict) => {
        verdicts.push(verdict);
      },
      refusesWhole: () => true,
      probe: async () => true,
      notice: () => {},
      stopped: () => false,
      signal: new AbortController().signal,
    },
    meansOf({ ...SETTINGS, maxOutageMs: 60_000 }, systemClock),
  );
  await transport.close();
  const ids = (await shownDocuments(sandbox)).map(({ sourceId }) => Number(sourceId));
  return { result, verdicts, ids: ids.toSorted((a, b) => a - b) };
}

function numbersUpTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}

describe('delivery to a sandbox', () => {
  it('brings every document in once, whatever is refused', async () => {
    const { verdicts, ids, result } = await deliverTo(
      {
        rules: [
          { on: 'import', sizeLimit: { documents: 60 } },
          { on: 'import', rate: 0.05, status: 429 },
          { on: 'import', latency: { from: 1, to: 10 } },
        ],
      },
      batchesOf(20, 200),
    );
    expect(verdicts.every(({ kind }) => kind === 'accepted')).toBe(true);
    expect(ids).toEqual(numbersUpTo(4_000));
    expect(result.retries).toBeLessThanOrEqual(Math.max(32, 0.1 * result.requests));
  });

  it('keeps within a limit of requests a second that the sandbox keeps to', async () => {
    const { verdicts, ids, result } = await deliverTo(
      { rules: [{ on: 'import', rateLimit: { requests: 20, perSeconds: 1 } }] },
      batchesOf(60, 5),
    );
    expect(verdicts).toHaveLength(60);
    expect(ids).toEqual(numbersUpTo(300));
    // The limit is found once; what was under way then is sent again.
    expect(result.retries).toBeLessThanOrEqual(32);
  });

  it('stores nothing twice when answers are lost: what is in doubt is not sent again', async () => {
    const { verdicts, ids } = await deliverTo(
      { rules: [{ on: 'import', every: 4, reset: 'after' }] },
      batchesOf(20, 5),
    );
    expect(verdicts.filter(({ kind }) => kind === 'unknown')).toHaveLength(5);
    expect(ids).toEqual(numbersUpTo(100));
  });
});
