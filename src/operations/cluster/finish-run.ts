import type { StopReport } from '../../outcomes/stop-conditions.js';
import { Tally } from '../../outcomes/tally.js';
import type { Report } from '../../report/report.js';
import type { RunStop } from '../../runs/postgres/shards.js';
import type { ActiveRun, PostgresStore, ShardResult } from '../../runs/postgres/store.js';
import { mergeShards, type ShardReport } from '../pipeline/shard-report.js';
import type { RunPlan } from './run-plan.js';
import type { WorkedRun } from './worked-run.js';

/** A run that somebody may finish. */
export type FinishingRun = Pick<WorkedRun, 'active' | 'plan' | 'session'> & {
  readonly means: { readonly store: PostgresStore };
};

/** Makes the report of a run that is at its end, if it is, and nobody else does. */
export async function finishRun({ active, plan, means, session }: FinishingRun): Promise<void> {
  const { store } = means;
  if (!(await store.takeToFinish(active.run, session))) return;
  const report = await mergedReport(store, active, plan);
  await store.finishRun(active.run, session, report);
}

/** What came of all shards together, as one process would report it. */
async function mergedReport(
  store: PostgresStore,
  active: ActiveRun,
  plan: RunPlan,
): Promise<Report> {
  const results = await store.shardReports(active.run);
  const shards: ShardReport[] = [];
  for (const result of results) {
    shards.push(
      result.report === null
        ? await untold(store, active, { result, plan })
        : (JSON.parse(result.report) as ShardReport),
    );
  }
  const stop = await stopOf(store, active);
  const { transform, inputs, notices, target } = plan;
  return mergeShards(shards, {
    id: active.id,
    startedMs: Date.parse(transform.downloaded),
    target: { baseUrl: plan.baseUrl, monitoring: target.monitoring },
    inputs: inputs.map(({ report }) => report),
    mapping: transform.mapping,
    notices,
    stop,
    isCovered: stop === null,
    canBeResumed: true,
  });
}

/** What ended the run early: for all its workers, or where an input ends early. */
async function stopOf(store: PostgresStore, { run }: ActiveRun): Promise<StopReport | null> {
  const stop = await store.stopOf({ run });
  if (stop !== undefined) return stop as RunStop as StopReport;
  const [problem] = await store.planningProblems(run);
  return problem === undefined ? null : { kind: 'source', message: problem };
}

/** Of a shard that was stopped before its worker could say what came of it, or never begun. */
async function untold(
  store: PostgresStore,
  { run }: ActiveRun,
  { result, plan }: { readonly result: ShardResult; readonly plan: RunPlan },
): Promise<ShardReport> {
  const names = plan.inputs.map(({ name }) => name);
  const tally = new Tally(names);
  let read = 0;
  for (const [range, { kind }] of (await store.statesOf(run, result)).entries()) {
    const records = range.to - range.from + 1;
    const outcome = kind === 'sending' ? 'unknown' : kind;
    read += records;
    tally.read(records);
    tally.settle(outcome, records);
    if (outcome === 'unknown') tally.unknownUnread(names[range.input] ?? '', range);
  }
  return {
    tally: tally.snapshot(),
    records: names.map((_, input) => (input === result.input ? read : 0)),
    bytesRead: 0,
    batches: 0,
    retries: 0,
    refusals: null,
    notices: [],
    repeats: NO_REPEATS,
    undecodable: { sources: [], encodings: [] },
    rejects: [],
    readToEnd: false,
    stop: null,
  };
}

const NO_REPEATS: ShardReport['repeats'] = { differences: [], differing: 0, shared: 0 };
