import { setTimeout as wait } from 'node:timers/promises';
import { DeliveryLog } from '../operations/pipeline/delivery-log.js';
import { runReport } from '../operations/pipeline/run-report.js';
import { Tally } from '../outcomes/tally.js';
import { Run } from '../runs/run.js';
import { readStates, type ShardPlace } from './postgres/entries.js';
import { fenceExpired, Session } from './postgres/session.js';
import type { ActiveRun, PostgresStore, ShardResult } from './postgres/store.js';
import type { RunPlan } from './run-plan.js';
import { mergeShards, type ShardReport } from './shard-report.js';

/** How often to look whether a run has ended, in milliseconds. */
const LOOK_MS = 300;

/** A run that somebody may finish. */
interface FinishingRun {
  readonly active: ActiveRun;
  readonly plan: RunPlan;
  readonly session: Session;
  readonly store: PostgresStore;
}

/** Makes the report of a run that is at its end, if it is, and nobody else does. */
export async function finishRun(run: FinishingRun): Promise<void> {
  const { active, plan, store, session } = run;
  if (!(await store.takeToFinish(active.run, session))) return;
  const results = await store.shardResults(active.run);
  const { transform, inputs, notices, drift, target } = plan;
  const cut = await store.inputs(active.run);
  const problem = cut.find((input) => input.problem !== null)?.problem;
  const stopped = await store.stopOf(active);
  if (stopped !== undefined) await tellUnconfirmed(run);
  const startedMs = Date.parse(transform.downloaded);
  const figures = mergeShards(await reportsOf(run, results), {
    inputs: inputs.map(({ name }) => name),
    ...{ startedMs, notices, transform },
    // For all its workers, or where an input ends early.
    stop: stopped ?? (problem ? { kind: 'source', message: problem } : null),
    isCovered:
      !problem &&
      cut.every(({ planned }) => planned) &&
      results.every(({ state }) => state === 'done'),
  });
  const report = runReport(figures, {
    id: active.id,
    target: { baseUrl: plan.baseUrl, monitoring: target.monitoring },
    inputs: inputs.map(({ report }) => report),
    canBeResumed: true,
    ...{ startedMs, transform, drift },
  });
  await store.finishRun(active.run, session, report);
}

/**
 * Waits until a stopped run has ended, and ends it if no process has a shard of it any more: workers
 * of another version leave it alone. Gives up once the leases of killed processes have expired, since
 * those that are left then are alive and end it themselves.
 */
export async function endStopped(store: PostgresStore, { run }: ActiveRun): Promise<void> {
  const session = await Session.open(store.database);
  const { expiryMs, beatMs } = session.times;
  const until = performance.now() + expiryMs + beatMs;
  try {
    while (performance.now() < until) {
      const active = await store.findByNumber(run);
      if (active === undefined || active.state === 'ended') return;
      await fenceExpired(store.database, session.times);
      await finishRun({ active, plan: JSON.parse(active.plan) as RunPlan, session, store });
      await wait(LOOK_MS);
    }
  } finally {
    await session.close().catch(() => {});
  }
}

async function reportsOf(
  run: FinishingRun,
  results: readonly ShardResult[],
): Promise<readonly ShardReport[]> {
  const reports: ShardReport[] = [];
  for (const { report, requests: batches, retries, ...place } of results) {
    const told = report === null ? await untold(run, place) : (JSON.parse(report) as ShardReport);
    reports.push({ ...told, batches, retries });
  }
  return reports;
}

/** What was in flight where the run was stopped before anybody took it over stays unknown. */
async function tellUnconfirmed({ active, store, session }: FinishingRun): Promise<void> {
  const whole = await Run.of(store, store.openRun(active, session));
  const message = 'the run was stopped before it was found out whether it arrived';
  for await (const { intent, documents } of whole.sent(['sending'])) {
    whole.settleSent(intent, documents, { outcome: 'unknown', message });
  }
  await whole.flush();
}

/** Of a shard that was stopped before its worker could say what came of it, or never begun. */
async function untold(
  { active, plan, store }: FinishingRun,
  place: ShardPlace,
): Promise<ShardReport> {
  const names = plan.inputs.map(({ name }) => name);
  const tally = new Tally(names);
  let read = 0;
  const states = await readStates(store.database, active.run, place);
  for (const [range, { kind }] of states.entries()) {
    const records = range.to - range.from + 1;
    const outcome = kind === 'sending' ? 'unknown' : kind;
    read += records;
    tally.read(range.input, records);
    tally.settle(range.input, outcome, records);
    if (outcome === 'unknown') tally.unknown(names[range.input] ?? '', range);
  }
  return {
    tally: tally.snapshot(),
    records: names.map((_, input) => (input === place.input ? read : 0)),
    ...{ batches: 0, retries: 0, notices: [], rejects: [] },
    duplicates: { differences: [], differing: 0 },
    delivery: new DeliveryLog(0).snapshot(),
    ...{ survey: null, absent: [], readToEnd: false, stop: null },
  };
}
