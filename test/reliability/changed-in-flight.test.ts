/** Documents that an earlier run sent without an answer, and that a later export has with other texts. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Report } from '../../src/index.js';
import { listRuns } from '../../src/operations/runs/list-runs.js';
import { newFolder, put } from '../helpers/files.js';
import { review } from '../helpers/reviews.js';
import { eachSample, longTest } from '../helpers/runs.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { newSharedState } from '../helpers/shared-state.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { watchService } from '../helpers/watched-service.js';
import { lines, makeJob, reportIn, STORES, type StoreName, shownIds, startJob } from './job.js';
import { idsOf, type Rehearsal, rehearse } from './rehearsal.js';

/** The same records, each with another text. */
function others(count: number, word: string): string {
  const records = Array.from({ length: count }, (_, index) => review(index + 1));
  return lines(records.map((one) => ({ ...one, text: `${word} ${one.id}` })));
}

interface InFlight extends Rehearsal {
  /** The run that got no answer to its second and third request. */
  readonly first: string;
  /** Where runs are kept. */
  readonly kept: { readonly state?: string };
  /** Imports the records with other texts. */
  next(word: string, more?: Parameters<Rehearsal['run']>[0]): Promise<Report>;
  /** How many documents of the service have texts that begin with a word. */
  shownAs(word: string): Promise<number>;
}

/** A run of six records that gets no answer to two of its requests, and doesn't look for them. */
async function inFlight(store: StoreName, arrive: boolean) {
  const rehearsal = await rehearse({
    records: 6,
    meddle: async ({ number }, pass) => {
      if (number !== 2 && number !== 3) return await pass();
      if (arrive) await pass();
      return 'reset';
    },
  });
  const kept = store === 'postgres' ? { state: await newSharedState() } : {};
  const { run, counts } = await rehearsal.run({ ...kept, onUnknown: 'hold' });
  expect(counts).toMatchObject({ accepted: 4, unknown: 2 });
  const next: InFlight['next'] = (word, more) => {
    const input = path.join(rehearsal.folder, `${word}.jsonl`);
    if (!existsSync(input)) put(rehearsal.folder, `${word}.jsonl`, others(6, word));
    return rehearsal.run({ ...kept, input, ...more });
  };
  const shownAs = async (word: string): Promise<number> => {
    await rehearsal.service.idle();
    const shown = await shownDocuments(rehearsal.sandbox);
    return shown.filter(({ text }) => text.startsWith(word)).length;
  };
  return { ...rehearsal, first: run, kept, next, shownAs } satisfies InFlight;
}

function changed({ problems }: Report): number {
  return problems.find(({ kind }) => kind === 'changed')?.count ?? 0;
}

eachSample()(STORES)('in %s, what arrived is changed, also for later runs', async (store) => {
  const { next, run, kept, shown, shownAs } = await inFlight(store, true);
  const second = await next('Other');
  expect(second).toMatchObject({ exitCode: 0, counts: { accepted: 0, duplicate: 6 } });
  expect(changed(second)).toBe(6);
  expect(changed(await next('Other'))).toBe(6);
  const again = await run(kept);
  expect(again.counts.duplicate).toBe(6);
  expect(changed(again)).toBe(0);
  expect(await shown()).toEqual(idsOf(6));
  expect(await shownAs('Other')).toBe(0);
});

eachSample()(STORES)('in %s, what is missing is sent as it is now', async (store) => {
  const { next, run, kept, first, shown, shownAs } = await inFlight(store, false);
  const second = await next('Other');
  expect(second).toMatchObject({ exitCode: 0, counts: { accepted: 2, duplicate: 4 } });
  expect(await shownAs('Other')).toBe(2);
  // The first run learns that another text is there for what it sent.
  const resumed = await run({ ...kept, resume: first });
  expect(resumed.counts).toMatchObject({ accepted: 4, duplicate: 2 });
  expect(changed(resumed)).toBe(2);
  expect(changed(await run(kept))).toBe(2);
  expect(await shown()).toEqual(idsOf(6));
});

eachSample()(STORES)(
  'in %s, a run that took over and was interrupted remembers whose text it was',
  async (store) => {
    const { next, shownAs } = await inFlight(store, true);
    const held = await next('Other', { onUnknown: 'hold' });
    expect(held.counts).toMatchObject({ duplicate: 4, unknown: 2 });
    const resumed = await next('Other', { resume: held.run });
    expect(resumed.counts).toMatchObject({ accepted: 0, duplicate: 6 });
    expect(changed(resumed)).toBe(6);
    expect(await shownAs('Other')).toBe(0);
  },
);

longTest(
  'a resumed run leaves to a later one what that has sent and was cut off before it knew',
  async () => {
    const abandoned = new AbortController();
    const { folder, stateDir, run, sandbox, service, shown } = await rehearse({
      records: 6,
      meddle: async ({ number }, pass) => {
        if (number === 2 || number === 3) return 'reset';
        if (number <= 6) return await pass();
        await pass();
        abandoned.abort();
        return 'reset';
      },
    });
    const first = await run({ onUnknown: 'hold' });
    expect(first.counts).toMatchObject({ accepted: 4, unknown: 2 });
    const input = put(folder, 'Other.jsonl', others(6, 'Other'));
    const { signal } = abandoned;
    const second = await run({ input, signal, abandonSignal: signal });
    expect(second.counts.unknown).toBe(2);
    // The ledger takes in both runs.
    await listRuns(stateDir);
    const resumed = await run({ resume: first.run });
    await service.idle();
    const texts = (await shownDocuments(sandbox)).map(({ text }) => text);
    const there = texts.filter((text) => text.startsWith('Other')).length;
    expect(there).toBeGreaterThan(0);
    expect(changed(resumed)).toBe(there);
    expect(resumed.counts).toMatchObject({ accepted: 6 - there, duplicate: there });
    expect(await shown()).toEqual(idsOf(6));
  },
);

longTest('a killed process has sent what a later export has with other texts', async () => {
  const sandbox = await startTestSandbox();
  let kill = (): void => {};
  const { baseUrl, idle } = await watchService(sandbox, async ({ number }, pass) => {
    if (number !== 4) return await pass();
    await pass();
    kill();
    return undefined;
  });
  const folder = newFolder();
  const job = await makeJob({ folder, sandbox, baseUrl, records: 100, concurrency: 2 });
  const { child, ended } = startJob(job);
  kill = () => child.kill('SIGKILL');
  await ended;
  await idle();
  put(folder, 'reviews.jsonl', others(100, 'Other'));
  const report = reportIn(await startJob(job).ended);
  const texts = (await shownDocuments(sandbox)).map(({ text }) => text);
  const there = texts.filter((text) => text.startsWith('Other')).length;
  expect(report.counts).toMatchObject({ accepted: there, duplicate: 100 - there, unknown: 0 });
  expect(await shownIds(job)).toEqual(job.ids.toSorted());
});
