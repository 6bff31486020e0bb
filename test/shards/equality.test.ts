import { readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import pLimit from 'p-limit';
import { describe, expect } from 'vitest';
import { type Counts, importDocuments, mergeReports, type Report } from '../../src/index.js';
import { NO_COUNTS } from '../../src/model/record.js';
import { openStore } from '../../src/runs/open-store.js';
import { StoredRun } from '../../src/runs/stored-run.js';
import { newFolder } from '../helpers/files.js';
import { HAS } from '../helpers/needs.js';
import { randomFrom } from '../helpers/random-from.js';
import { cases, longTest, SOAKING } from '../helpers/runs.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { forSeeds } from '../helpers/seeds.js';
import { newSharedState } from '../helpers/shared-state.js';
import { startTestSandbox, type TestSandbox } from '../helpers/start-sandbox.js';
import { refusal, watchService } from '../helpers/watched-service.js';
import { lastingCoverage } from '../report/fixtures.js';
import { MAPPING, type RandomInputs, randomInputs } from './random-inputs.js';
import { importInProcess } from './shards-job.js';

/** Seeds that failed once. */
const REGRESSIONS: readonly number[] = [170382670, 3001, 1961047369, 1162883730];

const SHARDS = [1, 3, 8] as const;

describe.runIf(HAS.postgres)('an import in shards', () => {
  const timeout = SOAKING ? 3_600_000 : 240_000;
  longTest(
    'reports as one process does, except for which of two repeats was first',
    { timeout },
    async () => {
      const sandbox = await startTestSandbox({ pageSize: 500 });
      let monitoring = 1;
      const play = async (seed: number): Promise<void> => {
        const first = monitoring;
        monitoring += 1 + SHARDS.length;
        await compare(sandbox, first, seed);
      };
      await forSeeds(cases(4, 400), 2, play, REGRESSIONS);
    },
  );
});

/** Imports the same files with one process and in shards, and compares the results. */
async function compare(sandbox: TestSandbox, first: number, seed: number): Promise<void> {
  const random = randomFrom(seed);
  const upTo = (end: number): number => Math.floor(random() * end);
  const folder = newFolder();
  const batchSize = random() < 0.4 ? 1 : 1 + upTo(20);
  const inputs = await randomInputs(random, folder, batchSize === 1 ? 2 : 0);
  const { baseUrl } = await watchService(sandbox, async ({ ids }, pass) => {
    if (ids.some((id) => id.endsWith('-refused'))) return refusal(400, 'this is not wanted');
    if (ids.some((id) => id.endsWith('-lost'))) return { status: 500, body: 'lost' };
    return await pass();
  });
  const { username, apiKey } = sandbox;
  const job = {
    ...{ ...inputs, folder, sandbox, batchSize },
    connection: { baseUrl, username, apiKey },
    chunkBytes: 64 + upTo(600),
  };
  const one = await importAlone(job, first);
  const state = await newSharedState();
  for (const [index, count] of SHARDS.entries()) {
    const monitoring = first + 1 + index;
    const many = await importInShards(job, { monitoring, state, count, random });
    expect(many, `${count} shards`).toEqual(one);
  }
}

interface Job extends RandomInputs {
  readonly folder: string;
  readonly sandbox: TestSandbox;
  readonly connection: { baseUrl: string; username: string; apiKey: string };
  readonly batchSize: number;
  readonly chunkBytes: number;
}

function optionsOf({ input, connection, batchSize, chunkBytes }: Job, monitoring: number) {
  return {
    ...{ input, mapping: MAPPING, monitoring, connection, batchSize },
    ...({ concurrency: 2, refusals: 'atomic', onUnknown: 'hold', throwOn: 'never' } as const),
    survey: true,
    // Few bytes of which one is stray leave the encoding open.
    source: { chunkBytes, encoding: 'utf-8' },
  };
}

async function importAlone(job: Job, monitoring: number): Promise<unknown> {
  await job.sandbox.ensureMonitoring(monitoring);
  const stateDir = newFolder();
  const rejects = path.join(newFolder(), 'rejects');
  const report = await importDocuments({ ...optionsOf(job, monitoring), stateDir, rejects });
  return await resultsOf(report, { job, monitoring, state: stateDir, runs: [report.run] });
}

interface InShards {
  readonly monitoring: number;
  readonly state: string;
  readonly count: number;
  readonly random: () => number;
}

/** Imports the shards in some order, some of them at once, some in processes of their own. */
async function importInShards(
  job: Job,
  { monitoring, state, count, random }: InShards,
): Promise<unknown> {
  await job.sandbox.ensureMonitoring(monitoring);
  const run = `shards-${monitoring}`;
  const numbers = Array.from({ length: count }, (_, at) => ({ index: at + 1, place: random() }));
  const atOnce = pLimit(1 + Math.floor(random() * 3));
  const ordered = numbers.toSorted((one, other) => one.place - other.place);
  await atOnce.map(ordered, async ({ index, place }) => {
    const options = { ...optionsOf(job, monitoring), state, run };
    const shard = { index, count };
    if (place < 0.15) {
      const { code, stderr } = await importInProcess(options, `${index}/${count}`).ended;
      // 5: documents whose outcome is unknown.
      expect([0, 5], stderr).toContain(code);
    } else expect((await importDocuments({ ...options, shard })).stop).toBeNull();
  });

  const merge = (file: string): Promise<Report> => mergeReports({ state, run, rejects: file });
  const report = await merge(path.join(newFolder(), 'rejects'));
  // As on a machine that has no inputs.
  const elsewhere = `${job.folder}-elsewhere`;
  renameSync(job.folder, elsewhere);
  const again = await merge(path.join(newFolder(), 'rejects'));
  renameSync(elsewhere, job.folder);
  expect({ ...again, rejects: [] }).toEqual({ ...report, rejects: [] });
  expect(textsOf(again)).toEqual(textsOf(report));
  const runs = numbers.map(({ index }) => `${run}/${index}`);
  return await resultsOf(report, { job, monitoring, state, runs });
}

interface Imported {
  readonly job: Job;
  readonly monitoring: number;
  readonly state: string;
  readonly runs: readonly string[];
}

/** All results of an import, sorted. */
async function resultsOf(
  report: Report,
  { job: { sandbox, repeated }, monitoring, state, runs }: Imported,
): Promise<unknown> {
  expectWholeDelivery(report);
  const shown = await shownDocuments(sandbox, monitoring);
  return {
    ...factsOf(report),
    documents: shown
      .map(({ sourceId, text }) => (repeated.has(sourceId) ? sourceId : `${sourceId}: ${text}`))
      .toSorted(),
    sent: (await Promise.all(runs.map((run) => sentBy(run, state, report, repeated))))
      .flat()
      .toSorted(),
    rejects: rejectsOf(report, repeated),
  };
}

/** Outcomes of the records that a run has sent, but for repeats. */
async function sentBy(
  id: string,
  state: string,
  { inputs }: Report,
  repeated: ReadonlySet<string>,
): Promise<readonly string[]> {
  await using store = await openStore(state);
  const run = await StoredRun.of(store, await store.openReadOnly(id));
  const outcomes: string[] = [];
  for (const kind of ['accepted', 'rejected', 'unknown', 'sending'] as const) {
    for await (const { documents } of run.sent([kind])) {
      for (const { input, record, sourceId } of documents) {
        if (sourceId === null || repeated.has(sourceId)) continue;
        outcomes.push(`${inputs[input]?.name} ${record}: ${kind}`);
      }
    }
  }
  return outcomes;
}

/** Report without figures that depend on timing. */
function factsOf({ inputs, problems, causes, unknown, coverage, ...report }: Report): object {
  const { run, started, ended, elapsedMs, recordsPerSecond, ...lasting } = report;
  const { batches, retries, delivery, rejects, target, stateFlags, ...facts } = lasting;
  return {
    ...facts,
    coverage: { ...lastingCoverage(coverage), requests: null },
    inputs: inputs.map(({ counts: { read, skipped }, ...input }) => ({ ...input, read, skipped })),
    // A repeat may be in another input than the one that was first.
    summed: inputs.reduce((sum, input) => added(sum, input.counts), NO_COUNTS),
    unknown: unknown
      .flatMap(({ source, from, to }) =>
        Array.from({ length: to - from + 1 }, (_, at) => `${source} ${from + at}`),
      )
      .toSorted(),
    problems: problems.map((group) =>
      isOfRepeats(group) ? { kind: group.kind, count: group.count } : group,
    ),
    causes: causes.map((cause) =>
      isOfRepeats(cause) ? { ...cause, places: null, message: null } : cause,
    ),
  };
}

function isOfRepeats({ kind }: { readonly kind: string }): boolean {
  return kind === 'duplicate' || kind === 'repeated-id';
}

/** As no process was killed, it holds everything that was read and sent. */
function expectWholeDelivery({ delivery, counts, batches }: Report): void {
  const { timeline = [], latency, statuses = [] } = delivery ?? {};
  expect(timeline.reduce((sum, { read }) => sum + read, 0)).toBe(counts.read);
  expect(timeline.reduce((sum, { requests }) => sum + requests, 0)).toBe(batches);
  expect(statuses.reduce((sum, { count }) => sum + count, 0)).toBe(batches);
  expect(latency?.count ?? 0).toBe(batches);
}

function added(one: Counts, other: Counts): Counts {
  const sums = Object.entries(one).map(([name, n]) => [name, n + other[name as keyof Counts]]);
  return Object.fromEntries(sums) as Counts;
}

/** The files of rejects as they are. */
function textsOf({ rejects }: Report): readonly string[] {
  return rejects.flatMap(({ file, reasons }) => [
    readFileSync(file, 'utf8'),
    readFileSync(reasons, 'utf8'),
  ]);
}

/**
 * The lines of all files of rejects. Which of two repeats is among them depends on timing, and with
 * it how many each file has.
 */
function rejectsOf({ rejects, run }: Report, repeated: ReadonlySet<string>): unknown {
  const linesIn = (file: string): readonly string[] => {
    const text = readFileSync(file, 'utf8').replaceAll(run, 'RUN');
    // Without where it stands among the others.
    const lines = text.replaceAll(/^\{"line":\d+,/gm, '{').split('\n');
    const isHeader = (line: string): boolean => line === '' || line.startsWith('id,text,day');
    const isRepeated = (line: string): boolean =>
      line.includes('repeated-id') || [...repeated].some((id) => line.includes(id));
    return lines.filter((line) => !isHeader(line) && !isRepeated(line));
  };
  return {
    records: rejects.reduce((sum, { records }) => sum + records, 0),
    lines: rejects.flatMap(({ file }) => linesIn(file)).toSorted(),
    reasons: rejects.flatMap(({ reasons }) => linesIn(reasons)).toSorted(),
  };
}
