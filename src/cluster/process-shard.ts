/**
 * One shard on its way through the pipeline: a run of its own, of which the whole run's report is made
 * later. What it has sent is in the entries, so that whoever takes it over goes on from there.
 */
import { systemClock } from '../delivery/context.js';
import { hasChanged, hashSpan } from '../input/file-input.js';
import { SourceError } from '../model/errors.js';
import type { RegularFile, Source } from '../model/source.js';
import {
  newFindings,
  type PipelineRun,
  progressOf,
  stopOnAbort,
} from '../operations/pipeline/prepare-run.js';
import { readDocuments } from '../operations/pipeline/read-documents.js';
import { closeFigures } from '../operations/pipeline/run-report.js';
import { sendDocuments } from '../operations/pipeline/send-documents.js';
import { EventHub } from '../outcomes/events.js';
import { StopConditions } from '../outcomes/stop-conditions.js';
import { Run } from '../runs/run.js';
import type { Shard, ShardCounts, Shards } from './postgres/shards.js';
import { type PlannedInput, partOf, type ShardSpan } from './run-plan.js';
import { ShardRejects, type ShardReport, shardReport } from './shard-report.js';
import type { WorkedRun } from './worked-run.js';

/** How often a worker says how far it is, and asks whether the run is stopped, in milliseconds. */
const TELL_MS = 500;

/**
 * A commit takes tens of milliseconds where many write to one disk. With one batch ahead, no more
 * than one could go in that time, however many may be in flight.
 */
const INTENDED_AHEAD = 4;

/** A shard that this process has taken. */
interface ShardWork {
  readonly shard: Shard;
  readonly shards: Shards;
  /** Aborted when this process is to end: the shard is given back. */
  readonly leaving: AbortSignal;
  /** To be called once all of it was read, so that another shard may be. */
  readonly wasRead: () => void;
}

/**
 * Makes sure that a shard is what the run's planner saw, and sends it, until all is settled or it is to
 * stop; says what came of it, and gives it back.
 */
export async function processShard(worked: WorkedRun, work: ShardWork): Promise<void> {
  const { shard, shards, wasRead } = work;
  const source = await readableSource(worked, shard);
  if (source === undefined) {
    await shards.leave(shard);
    return;
  }
  const rejects = new ShardRejects((page, lines) => shards.reject(shard, page, lines));
  const halt = new AbortController();
  const run = prepareShard(worked, { source, rejects, signal: halt.signal });
  const { store } = worked.means;
  const kept = await Run.of(store, store.openRun(worked.active, worked.session, shard));
  const stopTelling = tellMeanwhile(worked, work, run, halt);
  const documents = readDocuments(run);
  try {
    const { service, pacing, active } = worked;
    if (active.follows) await kept.openLedger();
    await worked.shareRate().catch(() => {});
    const deps = { service, stored: kept, pacing, maxIntentsAhead: INTENDED_AHEAD };
    await sendDocuments(thenCall(wasRead, documents), run, deps);
    await kept.flush();
    await rejects.flush();
    await leave(worked, work, run, reportOf(worked, shard, run, kept));
  } finally {
    stopTelling();
    await documents.return().catch(() => {});
    await kept.release();
  }
}

async function* thenCall<T>(ended: () => void, items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items;
  } finally {
    ended();
  }
}

/** Ends the whole run too, if what ended the shard does; but not if only this process ends. */
async function leave(
  worked: WorkedRun,
  { shard, shards }: ShardWork,
  run: PipelineRun,
  report: ShardReport,
): Promise<void> {
  const { means, active, session } = worked;
  const counts = countsOf(run);
  // It may have been over before it said anything.
  await shards.tell(shard, counts);
  await checkErrors(worked);
  const { reason } = run.stops;
  // One input that can't be read to its end is no reason to leave out the others.
  const isDone = reason === undefined || reason.kind === 'source';
  if (!isDone && reason.kind !== 'interrupted' && session.isValid) {
    await means.store.stopRun(active, reason);
  }
  const { batches: requests, retries } = run.recorder;
  const told = { isDone, report: JSON.stringify(report), counts, requests, retries };
  await shards.leave(shard, told);
}

/** `undefined` if this process can't read it as the run's planner did; others may. */
async function readableSource(worked: WorkedRun, shard: Shard): Promise<Source | undefined> {
  const { input } = shard;
  try {
    const source = await worked.source(input);
    const span = shard.span as ShardSpan | null;
    if (span !== null) await checkSpan(source.file as RegularFile, span);
    const planned = worked.plan.inputs[input] as PlannedInput;
    return partOf(source, planned, { input, span: span ?? undefined });
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    worked.unreadable.add(input);
    worked.means.notice(error.message);
    return undefined;
  }
}

/** @throws SourceError if a span's bytes are others than the run's planner saw */
async function checkSpan(file: RegularFile, span: ShardSpan): Promise<void> {
  const { path } = file;
  try {
    if ((await hashSpan(path, span)) === span.hash) return;
    throw new SourceError(
      `This worker sees another file as ${path} than the run was begun with: the bytes from ${span.from.byte} to ${span.to} are others. If it was changed, cancel the run and import the file anew: what was accepted is known.`,
    );
  } catch (error) {
    // No process could read it: reading ends the shard, and reports the change.
    if (!(await hasChanged(file))) throw error;
  }
}

interface ShardMeans {
  readonly source: Source;
  readonly rejects: ShardRejects;
  readonly signal: AbortSignal;
}

/** What the pipeline needs to take a shard through it. */
function prepareShard(worked: WorkedRun, { source, rejects, signal }: ShardMeans): PipelineRun {
  const { plan, means, pool } = worked;
  const { transform } = plan;
  const hub = new EventHub();
  // Errors count over the whole run.
  const errorLimit = { kind: 'never' } as const;
  const settings = { ...plan.settings, threads: means.threads, errorLimit };
  const shared = { settings, transform, hub, sources: [source], rejects: rejects.writer };
  const findings = newFindings({
    ...shared,
    inputs: plan.inputs,
    beganMs: Date.parse(transform.downloaded),
    withRecords: false,
  });
  const notices: string[] = [];
  const notice = (message: string): void => void notices.push(message);
  const run = { ...shared, ...findings, pool, signal, startedMs: Date.now(), notices, notice };
  stopOnAbort(run);
  return run;
}

/** What it reports, as a part of the whole run. */
function reportOf(worked: WorkedRun, shard: Shard, run: PipelineRun, stored: Run): ShardReport {
  const { from } = (shard.span as ShardSpan | null) ?? {};
  const before = (from?.record ?? 1) - 1;
  return shardReport(closeFigures(run, { inputs: worked.plan.inputs.length, stored, before }));
}

function countsOf(run: PipelineRun): ShardCounts {
  const { counts, bytesRead } = progressOf(run);
  return { ...counts, bytesRead };
}

/**
 * Says how far a shard is, every now and then, and halts it when the run is stopped or this process is
 * to end: reading and all pauses, but for the requests in flight.
 */
function tellMeanwhile(
  worked: WorkedRun,
  { shard, shards, leaving }: ShardWork,
  run: PipelineRun,
  halt: AbortController,
): () => void {
  const over = new AbortController();
  const tell = async (): Promise<void> => {
    await worked.shareRate();
    await shards.tell(shard, countsOf(run));
    await checkErrors(worked);
    const stop = await worked.means.store.stopOf(worked.active);
    if (stop === undefined || over.signal.aborted) return;
    // The first reason stands, so it comes before that of the abort.
    run.stops.stop(stop);
    halt.abort();
  };
  const tellOn = async (): Promise<void> => {
    for (;;) {
      await systemClock.sleep(TELL_MS, over.signal);
      if (over.signal.aborted) return;
      // A state that is away is told of by who writes to it.
      await tell().catch(() => {});
    }
  };
  void tellOn();
  const leave = (): void => halt.abort(leaving.reason);
  leaving.addEventListener('abort', leave);
  if (leaving.aborted) leave();
  return () => {
    over.abort();
    leaving.removeEventListener('abort', leave);
  };
}

/** Errors count over the whole run. */
async function checkErrors({ plan, means, active }: WorkedRun): Promise<void> {
  const { errorLimit } = plan.settings;
  if (errorLimit.kind === 'never') return;
  const { counts } = await means.store.progress(active.run);
  const stops = new StopConditions(errorLimit);
  stops.checkErrors(counts);
  if (stops.reason !== undefined) await means.store.stopRun(active, stops.reason);
}
