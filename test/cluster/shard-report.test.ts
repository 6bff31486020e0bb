import { expect, it } from 'vitest';
import { mergeShards, type ShardReport, shardReport } from '../../src/cluster/shard-report.js';
import { DuplicateProblems } from '../../src/dedup/duplicates.js';
import { DeliveryLog } from '../../src/operations/pipeline/delivery-log.js';
import { Tally } from '../../src/outcomes/tally.js';

const INPUTS = ['a.csv', 'b.csv'];
const WHOLE = { inputs: INPUTS, startedMs: 0, notices: ['a'], stop: null, isCovered: true };
const DOWN = { kind: 'service-down', message: 'it does not answer' } as const;
const INTERRUPTED = { kind: 'interrupted', message: 'the run was interrupted' } as const;

function shard(changes: Partial<ShardReport> = {}): ShardReport {
  const duplicates = new DuplicateProblems(['rating']);
  duplicates.problemOf({ outcome: 'duplicate', differing: [0] }, 'x', 'a.csv, record 1');
  const figures = {
    ...{ tally: new Tally(INPUTS), duplicates, delivery: new DeliveryLog(0), survey: undefined },
    ...{ records: [1, 2], absent: [{ text: 'txt' }, null], batches: 3, retries: 2 },
    ...{ notices: ['a', 'b'], rejects: [], readToEnd: true, stop: null },
  };
  return { ...JSON.parse(JSON.stringify(shardReport(figures))), ...changes };
}

function merge(shards: readonly ShardReport[], whole: Partial<typeof WHOLE> = {}) {
  return mergeShards(shards, { ...WHOLE, transform: { surveys: false }, ...whole });
}

it('figures of shards are summed, notices are listed once, and all have to be read to the end', async () => {
  const merged = await merge([shard(), shard({ absent: [{}, null], notices: ['c'] })]);
  expect(merged).toMatchObject({
    ...{ records: [2, 4], batches: 6, retries: 4, notices: ['a', 'b', 'c'], readToEnd: true },
    absent: [{}, null],
  });
  expect(merged.duplicates.notices()).toEqual([expect.stringMatching(/^2 .* in rating \(2\)/)]);
  expect((await merge([shard(), shard({ readToEnd: false })])).readToEnd).toBe(false);
  expect((await merge([shard()], { isCovered: false })).readToEnd).toBe(false);
});

it('the error of one shard is named, not the interruption of the others', async () => {
  const stops = [shard({ stop: INTERRUPTED }), shard({ stop: DOWN }), shard()];
  expect((await merge(stops)).stop).toEqual(DOWN);
  expect((await merge([shard(), shard({ stop: INTERRUPTED })])).stop).toEqual(INTERRUPTED);
  expect((await merge([shard()])).stop).toBe(null);
});

it('unknown records of shards are named in the order of inputs and records', async () => {
  const shards = [[8, 3], [7]].map((records) => {
    const unknown = records.map((record) => ({ source: 'b.csv', from: record, to: record }));
    return shard({ tally: { ...shard().tally, unknown } });
  });
  const first = { source: 'a.csv', from: 9, to: 9 };
  shards.push(shard({ tally: { ...shard().tally, unknown: [first] } }));
  expect((await merge(shards)).tally.unknownRecords()).toEqual([
    first,
    { source: 'b.csv', from: 3, to: 3 },
    { source: 'b.csv', from: 7, to: 8 },
  ]);
});
