import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { PostgresStore } from '../../src/cluster/postgres/store.js';
import { importDocuments } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';
import { HAS } from '../helpers/needs.js';
import { MAPPING } from '../helpers/reviews.js';
import { startDocferry } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';
import { newSharedState } from '../helpers/shared-state.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';
import { checkEnded, lines, makeJob, reviews, SHORT_LEASES } from '../reliability/job.js';

const PATIENT = { timeout: 20_000 };

longTest.runIf(HAS.postgres)(
  'an import with --no-work ends although its lease was lost',
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

/** Enough rows for the transform to use worker threads. */
const TEXT_CHARACTERS = 30_000;

longTest.runIf(HAS.postgres)(
  'rejects are stored even if the import doesn’t request them',
  async () => {
    const state = await newSharedState();
    const { baseUrl, username, apiKey } = await startWithMonitoring();
    const folder = newFolder();
    const long = reviews(300).map((one) => ({ ...one, text: one.text.padEnd(TEXT_CHARACTERS) }));
    const bad = { id: 'bad', text: '', at: 'never' };
    const importing = {
      ...{ state, mapping: MAPPING, monitoring: 1, threads: 2, throwOn: 'never' as const },
      input: put(folder, 'reviews.jsonl', lines([...long, bad])),
      connection: { baseUrl, username, apiKey },
    };
    const { run, counts, rejects } = await importDocuments(importing);
    expect(counts).toMatchObject({ read: 301, accepted: 300, invalid: 1 });
    expect(rejects).toEqual([]);

    const file = path.join(folder, 'rejects.jsonl');
    await importDocuments({ ...importing, resume: run, rejects: file });
    expect(readFileSync(file, 'utf8')).toContain('"bad"');
  },
);

longTest.runIf(HAS.postgres)(
  'a stopped run reports requests of a killed worker as unknown',
  async () => {
    const state = await newSharedState(SHORT_LEASES);
    // Nothing is answered, so that all is under way.
    const rules = [{ on: 'import', latency: { from: 60_000, to: 60_000 } }] as const;
    const sandbox = await startWithMonitoring({ faults: { rules } });
    const job = await makeJob({ folder: newFolder(), sandbox, state, records: 40, batchSize: 5 });
    const importing = startDocferry([...job.arguments, '--no-work'], job.surroundings);
    const worker = startDocferry(['worker'], job.surroundings);
    const store = await PostgresStore.open(state);
    const intents = () => store.database.rows("SELECT FROM docferry.entries WHERE kind = 'intent'");
    await expect.poll(async () => (await intents()).length, PATIENT).toBeGreaterThan(0);
    worker.child.kill('SIGKILL');
    const [id] = await store.list();
    const stop = { kind: 'interrupted', message: 'it was interrupted' } as const;
    await store.stopRun(await store.find(id as string), stop);
    await store.close();
    const { counts } = await checkEnded(job, await importing.ended);
    expect(counts.unknown).toBeGreaterThan(0);
    expect(counts.unknown % 5).toBe(0);
  },
);
