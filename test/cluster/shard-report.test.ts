import { beforeEach, describe, expect, it } from 'vitest';
import { mergeShards, type ShardReport, shardReport } from '../../src/cluster/shard-report.js';
import type { ValidateOptions } from '../../src/index.js';
import type { Chunk } from '../../src/model/chunk.js';
import { batchOf, type DocumentRange } from '../../src/model/documents.js';
import { recordNumber } from '../../src/model/record-ranges.js';
import type { Source } from '../../src/model/source.js';
import { RunControl } from '../../src/operations/pipeline/import-run.js';
import {
  inputReport,
  type PreparedRun,
  prepareRun,
} from '../../src/operations/pipeline/prepare-run.js';
import { readDocuments } from '../../src/operations/pipeline/read-documents.js';
import { closeFigures, reportOf, runReport } from '../../src/operations/pipeline/run-report.js';
import { runSettings } from '../../src/operations/settings.js';
import type { Stop } from '../../src/outcomes/stop-conditions.js';
import type { Report } from '../../src/report/report.js';
import { newFolder, put } from '../helpers/files.js';
import { eachSample } from '../helpers/runs.js';
import { lastingFacts } from '../report/fixtures.js';

const TARGET = { baseUrl: 'http://localhost:1/5.0', monitoring: 7 };
const MAPPING = {
  name: 'Parts',
  profile: 'minimal',
  document: {
    sourceId: '{id}',
    text: '{text}',
    language: { value: 'en' },
    published: { from: 'day', date: 'yyyy-MM-dd' },
  },
};

/** Rows, some of which lack a text or a date, have an extra field, or a byte that isn't UTF-8. */
function rows(name: string, count: number): readonly Buffer[] {
  return Array.from({ length: count }, (_, row) => {
    const text = row % 7 === 0 ? '' : `good ${row}${row % 11 === 0 ? '\xe9' : ''}`;
    const day = row % 5 === 0 ? 'soon' : '2024-06-03';
    return Buffer.from(`${name}${row},${text},${day}${row % 13 === 0 ? ',x' : ''}\n`, 'latin1');
  });
}

let input: readonly string[];
let options: ValidateOptions;
beforeEach(() => {
  const folder = newFolder();
  const head = Buffer.from('id,text,day\n');
  const sizes = { b: 90, a: 1, c: 60 };
  input = Object.entries(sizes).map(([name, count]) =>
    put(folder, `${name}.csv`, Buffer.concat([head, ...rows(name, count)])),
  );
  options = { input, mapping: MAPPING, source: { chunkBytes: 200, encoding: 'utf-8' } };
});

/** Selects the chunks that a process takes. */
type Takes = (chunk: Chunk, index: number) => boolean;

function prepare(target: PreparedRun['target']): Promise<PreparedRun> {
  return prepareRun(options, { settings: runSettings(options), control: new RunControl(), target });
}

/** Processes some chunks and settles each document by its number. */
async function settled(takes: Takes, target: PreparedRun['target']): Promise<PreparedRun> {
  const prepared = await prepare(target);
  const sources = prepared.sources.map((source) => ({
    ...source,
    chunks: (signal?: AbortSignal) => taken(source, takes, signal),
  }));
  const run = { ...prepared, sources };
  for await (const ranges of readDocuments(run)) {
    if (target !== null) for (const one of ranges.flatMap(oneByOne)) settle(run, one);
  }
  return run;
}

async function* taken(source: Source, takes: Takes, signal?: AbortSignal) {
  let index = 0;
  for await (const chunk of source.chunks(signal)) {
    if (takes(chunk, index)) yield chunk;
    index += 1;
  }
}

function oneByOne({ documents, from, to }: DocumentRange): readonly DocumentRange[] {
  return Array.from({ length: to - from }, (_, n) => ({
    documents,
    from: from + n,
    to: from + n + 1,
  }));
}

function settle({ recorder }: PreparedRun, range: DocumentRange): void {
  const record = recordNumber(range.documents, range.from);
  const outcome = (['accepted', 'unknown', 'unknown', 'rejected'] as const)[record % 4];
  if (outcome !== undefined) recorder.settled(batchOf([range]), outcome, `answer ${record % 3}`);
  recorder.batches += 1;
  recorder.retries += record % 2;
}

const sent = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const WHOLE = { notices: [], stop: null, isCovered: true, canBeResumed: false };

async function shardOf(takes: Takes, target: PreparedRun['target']): Promise<ShardReport> {
  const run = await settled(takes, target);
  return shardReport(closeFigures(run, { inputs: run.sources.length }));
}

async function reportMerged(
  shards: readonly ShardReport[],
  target: PreparedRun['target'],
  { canBeResumed, ...whole }: typeof WHOLE = WHOLE,
): Promise<Report> {
  const run = await prepare(target);
  const names = run.sources.map(({ name }) => name);
  const figures = mergeShards(shards, { ...run, inputs: names, ...whole });
  return runReport(figures, { ...run, inputs: run.sources.map(inputReport), canBeResumed });
}

/** Assignments of chunks to shards: number of shards, and the shard of a chunk. */
const SPLITS: readonly [string, number, (chunk: Chunk, index: number) => number][] = [
  ['one', 1, () => 0],
  ['one an input', 3, ({ input }) => input],
  ['two an input', 6, ({ input }, index) => 2 * input + (index < 4 ? 0 : 1)],
  ['some with nothing in them', 9, ({ input }, index) => 3 * input + (index < 2 ? 0 : 2)],
  ['one every two chunks', 60, ({ input }, index) => 20 * input + Math.floor(index / 2)],
];

/** Each shard fills requests of its own. */
function factsOf(report: Report): object {
  const { coverage, ...facts } = lastingFacts(report);
  return { ...facts, coverage: coverage && { ...coverage, requests: null } };
}

describe('the report of merged shards', () => {
  for (const target of [null, TARGET]) {
    eachSample(3)(SPLITS)(
      `is that of one process, to ${target?.baseUrl ?? 'nowhere'}: %s`,
      async (_, count, ownerOf) => {
        const one = reportOf(await settled(() => true, target));
        const shards: ShardReport[] = [];
        for (let shard = 0; shard < count; shard += 1) {
          const report = await shardOf((...chunk) => ownerOf(...chunk) === shard, target);
          expect(sent(report)).toStrictEqual(report);
          shards.push(sent(report));
        }
        const merged = await reportMerged(shards, target);
        expect(JSON.stringify(factsOf(merged))).toBe(JSON.stringify(factsOf(one)));
        expect(merged.coverage === null).toBe(target !== null);
        expect(merged.counts.read).toBe(151);
        const kinds = merged.problems.map(({ kind }) => kind);
        expect(kinds).toEqual(expect.arrayContaining(['ragged', 'not-utf8']));
        expect(merged.unknown.length > 20).toBe(target !== null);
      },
    );
  }
});

describe('merged facts', () => {
  const shard = async (changes: Partial<ShardReport> = {}): Promise<ShardReport> => {
    return { ...(await shardOf(() => false, null)), ...changes };
  };
  const merge = async (
    shards: readonly Promise<ShardReport>[],
    whole: Partial<typeof WHOLE> = {},
  ): Promise<Report> => {
    return await reportMerged(await Promise.all(shards), TARGET, { ...WHOLE, ...whole });
  };

  it('name the error of one shard, not the interruption of the others', async () => {
    const interrupted: Stop = { kind: 'interrupted', message: 'the run was interrupted' };
    const down: Stop = { kind: 'service-down', message: 'it does not answer' };
    const stops = [shard({ stop: interrupted }), shard({ stop: down }), shard()];
    expect(await merge(stops)).toMatchObject({ status: 'stopped', stop: down, exitCode: 4 });
    const both = [shard(), shard({ stop: interrupted })];
    expect(await merge(both)).toMatchObject({ status: 'interrupted', exitCode: 130 });
    expect(await merge([shard()])).toMatchObject({ status: 'finished', stop: null, exitCode: 0 });
  });

  it('are resumable unless everything was read', async () => {
    const kept = { canBeResumed: true };
    const read = shard({ readToEnd: true });
    expect((await merge([read, read], kept)).resumable).toBe(false);
    expect((await merge([read, shard({ readToEnd: false })], kept)).resumable).toBe(true);
    expect((await merge([read], { ...kept, isCovered: false })).resumable).toBe(true);
    expect((await merge([read], { isCovered: false })).resumable).toBe(false);
  });

  it('list equal notices once', async () => {
    const notices = [
      ['a', 'b'],
      ['a', 'c'],
      ['c', 'd'],
    ];
    const merged = await merge(notices.map((said) => shard({ notices: said })));
    expect(merged.notices).toEqual(['a', 'b', 'c', 'd']);
  });

  it('list unknown records in order', async () => {
    const [name = ''] = input;
    const unknown = [8, 3, 7].map((record) => ({ source: name, from: record, to: record }));
    const { tally } = await shard();
    const one = shard({ tally: { ...tally, unknown } });
    expect((await merge([one, shard()])).unknown).toEqual([
      { source: name, from: 3, to: 3 },
      { source: name, from: 7, to: 8 },
    ]);
  });
});
