import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { Session } from '../../src/cluster/postgres/session.js';
import { Shards } from '../../src/cluster/postgres/shards.js';
import { PostgresStore } from '../../src/cluster/postgres/store.js';
import { openInput, planInput, type RunPlan } from '../../src/cluster/run-plan.js';
import { beginImport, importDocuments } from '../../src/index.js';
import { readReport } from '../../src/report/read-report.js';
import { newFolder, put } from '../helpers/files.js';
import { HAS } from '../helpers/needs.js';
import { MAPPING } from '../helpers/reviews.js';
import { longTest } from '../helpers/runs.js';
import { newSharedState } from '../helpers/shared-state.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';
import { lines, reviews } from '../reliability/job.js';

longTest.runIf(HAS.postgres)(
  'a resumed run cuts its inputs where they were cut before',
  async () => {
    const state = await newSharedState({ minShardBytes: 1 });
    const sandbox = await startWithMonitoring();
    const { baseUrl, username, apiKey } = sandbox;
    const input = put(newFolder(), 'reviews.jsonl', lines(reviews(20)));
    const asked = {
      ...{ state, input, mapping: MAPPING, monitoring: 1 },
      connection: { baseUrl, username, apiKey },
    };
    const run = await beginImport({ ...asked, source: { chunkBytes: 200 } });
    await planFirstShard(state, run);

    const report = await importDocuments({ ...asked, resume: run, source: { chunkBytes: 777 } });
    expect(report.counts).toMatchObject({ read: 20, accepted: 20 });
  },
);

longTest.skipIf(!HAS.postgres)(
  'the files of a finished run are written when requested later',
  async () => {
    const state = await newSharedState();
    const { baseUrl, username, apiKey } = await startWithMonitoring();
    const folder = newFolder();
    const bad = { id: 'bad', text: '', at: 'never' };
    const input = put(folder, 'reviews.jsonl', lines([...reviews(20), bad]));
    const connection = { baseUrl, username, apiKey };
    const asked = { state, input, mapping: MAPPING, monitoring: 1, connection };
    const { run } = await importDocuments({ ...asked, throwOn: 'never' });

    const again = { ...asked, resume: run, throwOn: 'never' } as const;
    expect(await importDocuments(again)).toMatchObject({ run, rejects: [] });
    const files = {
      rejects: path.join(folder, 'rejects.jsonl'),
      reportFile: path.join(folder, 'r'),
    };
    const report = await importDocuments({ ...again, ...files });
    expect(report).toMatchObject({ run, batches: 1, counts: { accepted: 20, invalid: 1 } });
    expect(report.rejects).toMatchObject([{ file: files.rejects, records: 1 }]);
    expect(readFileSync(files.rejects, 'utf8')).toContain('"bad"');
    expect(readReport(files.reportFile)).toEqual(report);
  },
);

/** Stops without cleaning up, as a killed process would. */
async function planFirstShard(state: string, id: string): Promise<void> {
  const store = await PostgresStore.open(state);
  const { run, ...active } = await store.find(id);
  const plan = JSON.parse(active.plan) as RunPlan;
  const session = await Session.open(store.database);
  const killed = new AbortController();
  class FirstOnly extends Shards {
    override async add(...added: Parameters<Shards['add']>): Promise<boolean> {
      const isAdded = await super.add(...added);
      killed.abort();
      return isAdded;
    }
  }
  const shards = new FirstOnly(store.database, session);
  const source = await openInput(plan, 0);
  await planInput(source, { run, input: 0, plan, shards, signal: killed.signal });
  expect((await store.progress(run)).shards.open).toBe(1);
  await session.close();
  await store.close();
}
