import { describe, expect } from 'vitest';
import { beginImport, importDocuments, startWorker } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';
import { HAS } from '../helpers/needs.js';
import { longTest } from '../helpers/runs.js';
import { newSharedState, type StateSettings } from '../helpers/shared-state.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';
import { registerSdk } from './registered.js';

const mapping = {
  name: 'Reviews',
  profile: 'minimal',
  document: { sourceId: '{id}', text: '{text}' },
} as const;
const ROWS = Array.from({ length: 20 }, (_, id) => `${id},Text ${id}\n`);
const POST = 'POST /monitorings/{id}/documents';

/** An import of two inputs, and so of at least two shards. */
async function jobOf(settings: StateSettings = {}) {
  const folder = newFolder();
  const input = ['a.csv', 'b.csv'].map((name) =>
    put(folder, name, `id,text\n${name}${ROWS.join(name)}`),
  );
  const { baseUrl, username, apiKey } = await startWithMonitoring();
  const connection = { baseUrl, username, apiKey };
  return {
    input,
    mapping,
    monitoring: 1,
    connection,
    state: await newSharedState(settings),
  };
}

describe.skipIf(!HAS.postgres)('a run over several processes', () => {
  longTest('has a span for each shard that its own process takes, with the requests', async () => {
    const sdk = registerSdk();
    const report = await importDocuments(await jobOf());
    const [run] = sdk.named('docferry.import');
    const shards = sdk.named('docferry.shard');
    expect(shards.length).toBeGreaterThanOrEqual(2);
    for (const { parentSpanContext, attributes } of shards) {
      expect(parentSpanContext?.spanId).toBe(run?.spanContext().spanId);
      expect(attributes['docferry.run.id']).toBe(report.run);
    }
    const ids = shards.map((span) => span.spanContext().spanId);
    const requests = sdk.named(POST);
    expect(requests).toHaveLength(report.batches);
    for (const { parentSpanContext } of requests) expect(ids).toContain(parentSpanContext?.spanId);
    const [counted] = await sdk.points<number>('docferry.documents');
    expect(counted?.value).toBe(report.counts.accepted);
  });

  longTest('is a trace for each shard that a worker takes', async () => {
    const sdk = registerSdk();
    // Whoever began it is gone: what it had is free soon.
    const soon = { beatMs: 100, expiryMs: 600, marginMs: 100 };
    const { state, connection, ...job } = await jobOf(soon);
    const run = await beginImport({ ...job, connection, state });
    await startWorker({ state, connection, untilDone: run });
    const shards = sdk.named('docferry.shard');
    expect(new Set(shards.map((span) => span.spanContext().traceId)).size).toBe(shards.length);
    const inputs = new Set(shards.map(({ attributes }) => attributes['docferry.input']));
    expect([...inputs].toSorted()).toEqual(job.input);
    const ids = shards.map((span) => span.spanContext().spanId);
    for (const { parentSpanContext } of sdk.named(POST)) {
      expect(ids).toContain(parentSpanContext?.spanId);
    }
    expect(await sdk.points('docferry.documents')).toEqual([]);
  });
});
