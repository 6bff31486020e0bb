import type { ShowPage } from '../delivery/reconciliation/pages.js';
import { DeliveryLog } from '../operations/pipeline/delivery-log.js';
import { runReport } from '../operations/pipeline/run-report.js';
import { resolveUnknown } from '../operations/runs/resolve-run.js';
import { reconciliationSettings } from '../operations/settings.js';
import type { StopReport } from '../outcomes/stop-conditions.js';
import { Tally } from '../outcomes/tally.js';
import { Run } from '../runs/run.js';
import type { ThreadPool } from '../transform/pool/transform-on-threads.js';
import type { ShardPlace } from './postgres/entries.js';
import type { RunStop } from './postgres/shards.js';
import type { ActiveRun, PostgresStore, ShardResult } from './postgres/store.js';
import type { RunPlan } from './run-plan.js';
import { mergeShards, type ShardReport } from './shard-report.js';
import type { WorkedRun, WorkMeans } from './worked-run.js';

/** How often it is asked whether the run is stopped, in milliseconds. */
const LOOK_MS = 500;

/** A run that has been stopped. */
interface StoppedRun extends Pick<WorkedRun, 'active' | 'plan' | 'session'> {
  readonly means: Pick<WorkMeans, 'store'>;
}

/** A run that somebody may finish. */
export interface FinishingRun extends StoppedRun {
  readonly means: Pick<WorkMeans, 'store' | 'connection'>;
  /** What it takes to find out what is unknown. */
  readonly resolving: Resolving;
}

interface Resolving {
  readonly page: ShowPage;
  readonly signal: AbortSignal;
  /** Threads that have nothing to do now, and take memory. */
  readonly pool?: ThreadPool | undefined;
}

/** Makes the report of a run that is at its end, if it is, and nobody else does. */
export async function finishRun(run: FinishingRun): Promise<void> {
  const { active, means, session } = run;
  const { store } = means;
  if (!(await store.takeToFinish(active.run, session))) return;
  const told = await toldBy(run);
  const unknown = told.filter(({ report }) => report.tally.counts.unknown > 0);
  if (unknown.length > 0 && (await isToResolve(run))) {
    await resolve(run);
    if (run.resolving.signal.aborted || !session.isValid) return;
    if ((await store.stopOf(active)) === undefined) {
      await store.reopenRun(active.run, session, unknown);
      return;
    }
  }
  await writeReport(run, told);
}

/** The same for a run that has been stopped: nothing is reconciled, so no service is needed. */
export async function finishStopped(run: StoppedRun): Promise<void> {
  const { active, means, session } = run;
  if (await means.store.takeToFinish(active.run, session))
    await writeReport(run, await toldBy(run));
}

async function writeReport(run: StoppedRun, told: readonly ToldShard[]): Promise<void> {
  const { active, plan, means, session } = run;
  const { store } = means;
  const isUnconfirmed = ({ isUntold, report }: ToldShard): boolean =>
    isUntold && report.tally.counts.unknown > 0;
  if (told.some(isUnconfirmed)) await tellUnconfirmed(run);
  const stop = await stopOf(store, active);
  const { transform, inputs, notices, drift, target } = plan;
  const startedMs = Date.parse(transform.downloaded);
  const figures = mergeShards(
    told.map(({ report }) => report),
    {
      inputs: inputs.map(({ name }) => name),
      isCovered: (await isCovered(run)) && told.every(({ isDone }) => isDone),
      ...{ startedMs, notices, stop },
    },
  );
  const report = runReport(figures, {
    id: active.id,
    target: { baseUrl: plan.baseUrl, monitoring: target.monitoring },
    inputs: inputs.map(({ report }) => report),
    canBeResumed: true,
    ...{ startedMs, transform, drift },
  });
  await store.finishRun(active.run, session, report);
}

/** What became of a shard. */
interface ToldShard extends ShardPlace {
  readonly isDone: boolean;
  /** Nobody could say what came of all of it: that is taken from what was written down. */
  readonly isUntold: boolean;
  readonly report: ShardReport;
}

async function toldBy({ active, plan, means }: StoppedRun): Promise<readonly ToldShard[]> {
  const { store } = means;
  const told: ToldShard[] = [];
  for (const result of await store.shardReports(active.run)) {
    const { input, part, state, requests: batches, retries } = result;
    const isDone = state === 'done';
    const last = result.report === null ? undefined : (JSON.parse(result.report) as ShardReport);
    const written = isDone ? undefined : await untold(store, active, { result, plan });
    // Who took a shard over may have been stopped before it came to all that was sent of it.
    const isUntold =
      written !== undefined && (last === undefined || sentOf(last) < sentOf(written));
    const report = isUntold ? written : (last as ShardReport);
    told.push({ input, part, isDone, isUntold, report: { ...report, batches, retries } });
  }
  return told;
}

function sentOf({ tally: { counts } }: ShardReport): number {
  return counts.accepted + counts.rejected + counts.unknown;
}

/** Whether what is unknown is to be reconciled for all shards together, and wasn't yet. */
async function isToResolve({ active, plan, means }: FinishingRun): Promise<boolean> {
  const { onUnknown = 'resolve' } = plan.sending;
  if (active.resolved || onUnknown !== 'resolve') return false;
  return (await means.store.stopOf(active)) === undefined;
}

/** Until it is all known, as far as it can be, or the run is stopped. */
async function resolve(run: FinishingRun): Promise<void> {
  const { active, means, session, plan, resolving } = run;
  const { page, signal, pool } = resolving;
  const { store } = means;
  await pool?.rest();
  const stopping = new AbortController();
  const ending = AbortSignal.any([signal, session.lost, stopping.signal]);
  const timer = setInterval(() => {
    store.stopOf(active).then(
      (stop) => stop && stopping.abort(),
      () => {},
    );
  }, LOOK_MS);
  const whole = await Run.of(store, store.openWhole(active, session));
  const settings = reconciliationSettings({ ...plan.sending, connection: means.connection });
  try {
    await resolveUnknown(whole, { page, settings, signal: ending });
    await whole.flush();
  } finally {
    clearInterval(timer);
  }
}

/** What was in flight where the run was stopped before anybody took it over stays unknown. */
async function tellUnconfirmed({ active, means: { store }, session }: StoppedRun): Promise<void> {
  const whole = await Run.of(store, store.openWhole(active, session));
  const message = 'the run was stopped before it was found out whether it arrived';
  for await (const { intent, documents } of whole.sent(['sending'])) {
    whole.settleEarlier(intent, documents, { outcome: 'unknown', message });
  }
  await whole.flush();
}

/** Whether all inputs were cut to their end. */
async function isCovered({ active, means: { store } }: StoppedRun): Promise<boolean> {
  const { planned } = await store.progress(active.run);
  return planned && (await store.planningProblems(active.run)).length === 0;
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
    tally.read(range.input, records);
    tally.settle(range.input, outcome, records);
    if (outcome === 'unknown') tally.unknownUnread(names[range.input] ?? '', range);
  }
  return {
    tally: tally.snapshot(),
    records: names.map((_, input) => (input === result.input ? read : 0)),
    batches: 0,
    retries: 0,
    notices: [],
    duplicates: NO_DUPLICATES,
    delivery: new DeliveryLog(0).snapshot(),
    survey: null,
    absent: [],
    rejects: [],
    readToEnd: false,
    stop: null,
  };
}

const NO_DUPLICATES: ShardReport['duplicates'] = { differences: [], differing: 0 };
