import { setTimeout as wait } from 'node:timers/promises';
import { parseMapping } from '../mapping/load/load-mapping.js';
import type { Mapping } from '../mapping/mapping.js';
import { DeliveryLog } from '../operations/pipeline/delivery-log.js';
import { runReport } from '../operations/pipeline/run-report.js';
import { Tally } from '../outcomes/tally.js';
import { StoredRun } from '../runs/stored-run.js';
import { readStates, type ShardKey } from './postgres/entries.js';
import { fenceExpired, Session } from './postgres/session.js';
import type { ActiveRun, PostgresStore } from './postgres/store.js';
import type { RunPlan } from './run-plan.js';
import { mergeShards, type ShardReport } from './shard-report.js';

const POLL_MS = 300;

interface FinishingRun {
  readonly active: ActiveRun;
  readonly plan: RunPlan;
  readonly session: Session;
  readonly store: PostgresStore;
}

/**
 * Merges and stores the report of a run that is at its end. Does nothing if shards are left or
 * another session is doing it.
 */
export async function finishRun(run: FinishingRun): Promise<void> {
  const { active, plan, store, session } = run;
  if (!(await store.takeToFinish(active.run, session))) return;
  const { transform, inputs, notices, drift, target } = plan;
  const cut = await store.inputs(active.run);
  const problem = cut.find((input) => input.problem !== null)?.problem;
  const stopped = await store.stopOf(active);
  if (stopped !== undefined) await recordUnconfirmed(run);
  const startedMs = Date.parse(transform.downloaded);
  const figures = await mergeShards(shardReports(run), {
    inputs: inputs.map(({ name }) => name),
    ...{ startedMs, notices, transform },
    // Stopped for all workers, or an input that ends early.
    stop: stopped ?? (problem ? { kind: 'source', message: problem } : null),
    isCovered: !problem && cut.every(({ planned }) => planned),
  });
  const report = await runReport(figures, {
    id: active.id,
    target: { baseUrl: plan.baseUrl, monitoring: target.monitoring },
    inputs: inputs.map(({ report }) => report),
    canBeResumed: true,
    transform: { ...transform, mapping: mappingOf(plan) },
    ...{ startedMs, drift },
  });
  await store.finishRun(active.run, session, report);
}

/** The mapping with its text, so that the report can name lines in it. */
function mappingOf({ mappingSource, transform: { mapping } }: RunPlan): Mapping {
  if (!mappingSource) return mapping;
  return parseMapping(mappingSource.text, mappingSource.name);
}

/**
 * Waits until a stopped run has ended, and ends it once no process holds a shard: workers of
 * another version would leave it alone. Gives up after the leases of killed processes have expired,
 * because the remaining workers are alive and will end it.
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
      await wait(POLL_MS);
    }
  } finally {
    await session.close().catch(() => {});
  }
}

async function* shardReports(run: FinishingRun): AsyncGenerator<ShardReport, void, undefined> {
  const { store, active } = run;
  for await (const { state, report, requests: batches, retries, ...place } of store.shardResults(
    active.run,
  )) {
    const counted =
      report === null ? await reportFromEntries(run, place) : (JSON.parse(report) as ShardReport);
    yield { ...counted, batches, retries, readToEnd: counted.readToEnd && state === 'done' };
  }
}

/**
 * Records as unknown the requests that were in flight when the run was stopped and whose shards no
 * other worker took over.
 */
async function recordUnconfirmed({ active, store, session }: FinishingRun): Promise<void> {
  const stored = await StoredRun.of(store, store.openRun(active, session));
  const message = 'the run was stopped before it was known whether it arrived';
  for await (const { intent, documents } of stored.sent(['sending'])) {
    stored.recordOutcomeOf(intent, documents, { outcome: 'unknown', message });
  }
  await stored.flush();
}

/**
 * Rebuilds the report of a shard from its entries. Its worker was stopped before reporting, or
 * never started.
 */
async function reportFromEntries(
  { active, plan, store }: FinishingRun,
  place: ShardKey,
): Promise<ShardReport> {
  const names = plan.inputs.map(({ name }) => name);
  const tally = new Tally(names);
  let read = 0;
  const states = await readStates(store.database, active.run, place);
  for (const [range, { kind }] of states.entries()) {
    const records = range.to - range.from + 1;
    const outcome = kind === 'sending' ? 'unknown' : kind;
    read += records;
    tally.add(range.input, 'read', records);
    tally.add(range.input, outcome, records);
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
