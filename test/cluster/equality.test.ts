import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import {
  type Connection,
  type Counts,
  importDocuments,
  type Report,
  startWorker,
} from '../../src/index.js';
import { NO_COUNTS } from '../../src/model/record.js';
import { newFolder, put } from '../helpers/files.js';
import { HAS } from '../helpers/needs.js';
import { randomFrom } from '../helpers/random-from.js';
import { minimalMapping } from '../helpers/reviews.js';
import { environmentOf, startDocferry } from '../helpers/run-cli.js';
import { ALL_CASES, cases, longTest, SOAKING } from '../helpers/runs.js';
import { shownDocuments } from '../helpers/sandbox-documents.js';
import { forSeeds } from '../helpers/seeds.js';
import { newSharedState } from '../helpers/shared-state.js';
import { startTestSandbox, type TestSandbox } from '../helpers/start-sandbox.js';
import { refusal, watchService } from '../helpers/watched-service.js';
import { lastingCoverage } from '../report/fixtures.js';

const MAPPING = minimalMapping({
  language: { value: 'en' },
  published: { from: 'day', date: 'yyyy-MM-dd' },
});

/** Seeds that failed once. */
const REGRESSIONS: readonly number[] = [170382670, 3001, 1961047369, 1162883730];

describe.runIf(HAS.postgres)('an import over many workers', () => {
  const timeout = SOAKING ? 3_600_000 : 240_000;
  longTest(
    'reports as one process does, except for which of two repeats won',
    { timeout },
    async () => {
      const sandbox = await startTestSandbox({ pageSize: 500 });
      let monitoring = 0;
      const play = async (seed: number): Promise<void> => {
        monitoring += 2;
        await compare(sandbox, monitoring, seed);
      };
      await forSeeds(cases(4, 400), 2, play, REGRESSIONS);
    },
  );
});

/** Imports the same files with one process and with workers, and compares the results. */
async function compare(sandbox: TestSandbox, monitoring: number, seed: number): Promise<void> {
  const random = randomFrom(seed);
  const folder = newFolder();
  const world = randomWorld(random, folder);
  const { baseUrl } = await watchService(sandbox, async ({ ids }, pass) => {
    if (ids.some((id) => id.endsWith('-refused'))) return refusal(400, 'this is not wanted');
    if (ids.some((id) => id.endsWith('-lost'))) return { status: 500, body: 'lost' };
    return await pass();
  });
  const one = await importWorld({ ...world, folder, sandbox, baseUrl, monitoring });
  const workers = 1 + Math.floor(random() * 4);
  const state = await newSharedState({ minShardBytes: 1 + Math.floor(random() * 3_000) });
  const many = await importWorld({
    ...{ ...world, folder, sandbox, baseUrl, monitoring: monitoring + 1 },
    over: { state, workers, processes: ALL_CASES && random() < 0.3 ? 1 : 0 },
  });
  expect(many).toEqual(one);
}

interface World {
  readonly input: readonly string[];
  readonly chunkBytes: number;
  readonly batchSize: number;
  /** Ids that come several times. */
  readonly repeated: ReadonlySet<string>;
}

interface WorldImport extends World {
  readonly folder: string;
  readonly sandbox: TestSandbox;
  readonly baseUrl: string;
  readonly monitoring: number;
  readonly over?: { readonly state: string; readonly workers: number; readonly processes: number };
}

/** All results of an import, sorted. */
async function importWorld(world: WorldImport): Promise<unknown> {
  const { folder, sandbox, baseUrl, monitoring, over, repeated } = world;
  const { username, apiKey } = sandbox;
  await sandbox.ensureMonitoring(monitoring);
  const connection = { baseUrl, username, apiKey };
  const rejects = path.join(folder, `rejects-${monitoring}`);
  const leaving = new AbortController();
  const others = over === undefined ? [] : startWorkers({ ...world, over, leaving, connection });
  const report = await importDocuments({
    ...{ input: world.input, mapping: MAPPING, monitoring, connection, rejects },
    ...{ batchSize: world.batchSize, concurrency: 2, refusals: 'atomic', onUnknown: 'hold' },
    survey: true,
    // Few bytes of which one is stray leave the encoding open.
    source: { chunkBytes: world.chunkBytes, encoding: 'utf-8' },
    throwOn: 'never',
    ...(over === undefined ? {} : { state: over.state, work: over.workers % 2 === 1 }),
  });
  leaving.abort();
  await Promise.all(others);
  expectWholeDelivery(report);
  return {
    ...factsOf(report),
    documents: (await shownDocuments(sandbox, monitoring))
      .map(({ sourceId, text }) => (repeated.has(sourceId) ? sourceId : `${sourceId}: ${text}`))
      .toSorted(),
    rejects: rejectsOf(report, repeated),
  };
}

function startWorkers({
  folder,
  over: { state, workers, processes },
  leaving: { signal },
  connection,
}: WorldImport & {
  readonly over: NonNullable<WorldImport['over']>;
  readonly leaving: AbortController;
  readonly connection: Connection;
}): readonly Promise<unknown>[] {
  const env = { ...environmentOf(connection), DOCFERRY_STATE: state };
  return Array.from({ length: workers }, (_, index) => {
    if (index >= processes) return startWorker({ state, connection, signal });
    const { child, ended } = startDocferry(['worker'], { cwd: folder, env });
    signal.addEventListener('abort', () => child.kill('SIGTERM'));
    return ended;
  });
}

/** Report without figures that depend on timing. */
function factsOf({ inputs, counts, problems, unknown, notices, ...report }: Report): object {
  const { status, stop, exitCode, mapping } = report;
  return {
    ...{ status, stop, exitCode, mapping, counts, notices },
    coverage: { ...lastingCoverage(report.coverage), requests: null },
    // Workers read shards, so that no process reads all bytes of an input.
    inputs: inputs.map(({ counts: { read, skipped }, fingerprint: _, ...input }) => ({
      ...{ ...input, read, skipped },
    })),
    // A repeat may be in another input than the one that won.
    summed: inputs.reduce((sum, input) => added(sum, input.counts), NO_COUNTS),
    unknown: unknown
      .flatMap(({ source, from, to }) =>
        Array.from({ length: to - from + 1 }, (_, at) => `${source} ${from + at}`),
      )
      .toSorted(),
    problems: problems.map((group) => {
      const ofRepeats = group.kind === 'duplicate' || group.kind === 'repeated-id';
      return ofRepeats ? { kind: group.kind, count: group.count } : group;
    }),
  };
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

/**
 * The lines of all files of rejects. Which of two repeats is among them is anybody's guess, and
 * with it how many each file has.
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

/** Files of several formats with many defective records. */
function randomWorld(random: () => number, folder: string): World {
  const upTo = (most: number): number => Math.floor(random() * most);
  const batchSize = random() < 0.4 ? 1 : 1 + upTo(20);
  const repeated = new Set<string>();
  const ids: string[] = [];
  let lost = batchSize === 1 ? 2 : 0;
  const newId = (): string => {
    const name = `d${ids.length}x`;
    const isLost = lost > 0 && random() < 0.02;
    if (isLost) lost -= 1;
    const id = isLost ? `${name}-lost` : random() < 0.02 ? `${name}-refused` : name;
    ids.push(id);
    return id;
  };
  const record = (): Rec => {
    const earlier = ids[upTo(ids.length)];
    if (random() < 0.08 && earlier?.endsWith('x') && !repeated.has(earlier)) {
      repeated.add(earlier);
      const text = random() < 0.5 ? textOf(earlier) : `other than ${textOf(earlier)}`;
      return { id: earlier, text, day: DAY };
    }
    const id = newId();
    return { id, text: textOf(id), day: DAY, flaw: random() < 0.3 ? upTo(8) : undefined };
  };
  const input = Array.from({ length: 1 + upTo(4) }, (_, index) => {
    const records = Array.from({ length: upTo(random() < 0.2 ? 3 : 150) }, record);
    const kind = (['csv', 'jsonl', 'csv.gz'] as const)[upTo(3)] as 'csv' | 'jsonl' | 'csv.gz';
    const bytes = kind === 'jsonl' ? jsonLines(records) : csv(records);
    return put(folder, `in-${index}.${kind}`, kind === 'csv.gz' ? gzipSync(bytes) : bytes);
  });
  return { input, chunkBytes: 64 + upTo(600), batchSize, repeated };
}

const DAY = '2024-06-03';

interface Rec {
  readonly id: string;
  readonly text: string;
  readonly day: string;
  /** Its defect; then its id is unique. */
  readonly flaw?: number | undefined;
}

function textOf(id: string): string {
  return `Review ${id}, ${'good '.repeat(id.length)}\nsecond line “${id}”`;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Rows with each of the flaws. */
const CSV_FLAWS: readonly ((one: Rec) => string)[] = [
  ({ id, day }) => `${id},,${day}\n`,
  ({ id, text }) => `${id},${quoted(text)},soon\n`,
  ({ id, text, day }) => `${id},${quoted(text)},${day},extra\n`,
  ({ id }) => `${id}\n`,
  ({ id, day }) => `\n${id},plain \xff byte,${day}\n`,
  ({ id, day }) => `${id},"quoted" and more,${day}\n`,
  ({ text, day }) => `,${quoted(text)},${day}\n`,
  ({ id, day }) => `${id},a " stray quote,${day}\r\n`,
];

function csv(records: readonly Rec[]): Buffer {
  const sound = ({ id, text, day }: Rec): string => `${id},${quoted(text)},${day}\n`;
  const rows = records.map((one) => (CSV_FLAWS[one.flaw ?? -1] ?? sound)(one));
  return Buffer.concat(
    ['id,text,day\n', ...rows].map((part) =>
      Buffer.from(part, part.includes('\xff') ? 'latin1' : 'utf8'),
    ),
  );
}

const JSON_FLAWS: readonly ((one: Omit<Rec, 'flaw'>) => string)[] = [
  (one) => JSON.stringify({ ...one, text: '' }),
  (one) => JSON.stringify({ ...one, day: 'soon' }),
  (one) => JSON.stringify({ ...one, more: [1, { a: null }] }),
  ({ id }) => `{"id": "${id}", `,
  (one) => `\n  ${JSON.stringify(one)}  `,
  ({ id }) => `["${id}"]`,
  ({ text, day }) => JSON.stringify({ text, day }),
  (one) => JSON.stringify({ ...one, text: { a: 1 } }),
];

function jsonLines(records: readonly Rec[]): Buffer {
  const rows = records.map(({ flaw = -1, ...one }) => (JSON_FLAWS[flaw] ?? JSON.stringify)(one));
  return Buffer.from(rows.map((row) => `${row}\n`).join(''));
}
