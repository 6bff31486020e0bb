/**
 * Takes one shard through the pipeline, as a run of its own. Its entries record what was sent, so
 * that another worker can continue from there; its report is merged into that of the whole run.
 */
import { systemClock } from '../delivery/context.js';
import { hasChanged, hashSpan } from '../input/file-input.js';
import { SourceError } from '../model/errors.js';
import type { RegularFile, Source } from '../model/source.js';
import {
  newPipelineRun,
  type PipelineRun,
  progressOf,
} from '../operations/pipeline/pipeline-run.js';
import { readDocuments } from '../operations/pipeline/read-documents.js';
import { closeFigures } from '../operations/pipeline/run-report.js';
import { sendDocuments } from '../operations/pipeline/send-documents.js';
import { EventHub } from '../outcomes/events.js';
import { StopConditions } from '../outcomes/stop-conditions.js';
import { StoredRun } from '../runs/stored-run.js';
import type { Shard, ShardCounts } from './postgres/shards.js';
import { type PlannedInput, type ShardSpan, shardSource } from './run-plan.js';
import { ShardRejects, type ShardReport, shardReport } from './shard-report.js';
import type { WorkerRun } from './worker-run.js';

const UPDATE_MS = 500;

/**
 * Batches whose intents may be written ahead of sending. A commit takes tens of milliseconds on a
 * busy disk; with one batch ahead, at most one request could start in that time.
 */
const MAX_INTENTS_AHEAD = 4;

interface ShardWork {
  readonly shard: Shard;
  /** Aborted when this process is to end; the shard is then released. */
  readonly stopping: AbortSignal;
  /** Called once the whole shard was read, so that the next one may be taken. */
  readonly onRead: () => void;
}

/**
 * Verifies that the shard's bytes are those the planner saw, sends it, and releases it with its
 * report. Ends early if the run is stopped or this process is to end.
 */
export async function processShard(workerRun: WorkerRun, work: ShardWork): Promise<void> {
  const { shard, onRead } = work;
  const { shards } = workerRun;
  const source = await readableSource(workerRun, shard);
  if (source === undefined) {
    await shards.release(shard);
    return;
  }
  const rejects = new ShardRejects((page, lines) => shards.reject(shard, page, lines));
  const halt = new AbortController();
  const { signal } = halt;
  const run = prepareShard(workerRun, source, { rejects: rejects.writer, signal });
  const { store } = workerRun.deps;
  const stored = await StoredRun.of(
    store,
    store.openRun(workerRun.active, workerRun.session, shard),
  );
  const stopUpdates = updateMeanwhile(workerRun, work, run, halt);
  const documents = readDocuments(run);
  try {
    const { service, pacing, active } = workerRun;
    if (active.follows) await stored.openLedger();
    await workerRun.shareRate().catch(() => {});
    const deps = { service, stored, pacing, maxIntentsAhead: MAX_INTENTS_AHEAD };
    await sendDocuments(callAtEnd(onRead, documents), run, deps);
    await stored.flush();
    await rejects.flush();
    await releaseShard(workerRun, work, run, reportOf(shard, run, stored));
  } finally {
    stopUpdates();
    await documents.return().catch(() => {});
    await stored.release();
  }
}

async function* callAtEnd<T>(ended: () => void, items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items;
  } finally {
    ended();
  }
}

/**
 * Releases the shard with its report. Stops the whole run if an error ended the shard, but not if
 * only this process is ending.
 */
async function releaseShard(
  workerRun: WorkerRun,
  { shard }: ShardWork,
  run: PipelineRun,
  report: ShardReport,
): Promise<void> {
  const { deps, active, session, shards } = workerRun;
  const counts = countsOf(run);
  // The shard may have ended since the last periodic update.
  await shards.updateCounts(shard, counts);
  await checkErrors(workerRun);
  const { reason } = run.stops;
  // An input that can't be read to its end doesn't stop the others.
  const isDone = reason === undefined || reason.kind === 'source';
  if (!isDone && reason.kind !== 'interrupted' && session.isValid) {
    await deps.store.stopRun(active, reason);
  }
  const { batches: requests, retries } = run.recorder;
  const { readToEnd } = report;
  const end = { isDone, report: JSON.stringify(report), counts, requests, retries, readToEnd };
  await shards.release(shard, end);
}

/**
 * Opens the shard's span; `undefined` if this process can't read it as the planner did. Others may.
 */
async function readableSource(workerRun: WorkerRun, shard: Shard): Promise<Source | undefined> {
  const { input } = shard;
  try {
    const source = await workerRun.source(input);
    const span = shard.span as ShardSpan | null;
    if (span !== null) await checkSpan(source.file as RegularFile, span);
    const planned = workerRun.plan.inputs[input] as PlannedInput;
    return shardSource(source, planned, { input, span: span ?? undefined });
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    workerRun.unreadable.add(input);
    workerRun.deps.notice(error.message);
    return undefined;
  }
}

/** @throws SourceError if the span's bytes differ from those the planner saw */
async function checkSpan(file: RegularFile, span: ShardSpan): Promise<void> {
  const { path } = file;
  try {
    if ((await hashSpan(path, span)) === span.hash) return;
    throw new SourceError(
      `This worker sees a different file at ${path}: bytes ${span.from.byte} to ${span.to} differ from those the run started with. If the file was changed, cancel the run and import it again: accepted documents aren't sent again.`,
    );
  } catch (error) {
    // The file itself changed, so no worker could read it: reading will end the shard and report
    // the change.
    if (!(await hasChanged(file))) throw error;
  }
}

function prepareShard(
  workerRun: WorkerRun,
  source: Source,
  { rejects, signal }: Pick<PipelineRun, 'rejects' | 'signal'>,
): PipelineRun {
  const { plan, deps, pool } = workerRun;
  const { transform } = plan;
  // The limit applies to the whole run: see checkErrors.
  const errorLimit = { kind: 'never' } as const;
  return newPipelineRun({
    settings: { ...plan.settings, threads: deps.threads, errorLimit },
    ...{ transform, pool, signal },
    ...{ inputs: plan.inputs, sources: [source], rejects },
    hub: new EventHub(),
    startedMs: Date.now(),
    beganMs: Date.parse(transform.downloaded),
  });
}

function reportOf(shard: Shard, run: PipelineRun, stored: StoredRun): ShardReport {
  const { from } = (shard.span as ShardSpan | null) ?? {};
  const before = (from?.record ?? 1) - 1;
  return shardReport(closeFigures(run, { stored, before }));
}

function countsOf(run: PipelineRun): ShardCounts {
  const { counts, bytesRead } = progressOf(run);
  return { ...counts, bytesRead };
}

/**
 * Publishes the shard's counts periodically, and halts it (reading and all pauses, not the requests
 * in flight) when the run is stopped or this process is to end.
 * @returns a function that ends both
 */
function updateMeanwhile(
  workerRun: WorkerRun,
  { shard, stopping }: ShardWork,
  run: PipelineRun,
  halt: AbortController,
): () => void {
  const ended = new AbortController();
  const update = async (): Promise<void> => {
    await workerRun.shareRate();
    await workerRun.shards.updateCounts(shard, countsOf(run));
    await checkErrors(workerRun);
    const stop = await workerRun.deps.store.stopOf(workerRun.active);
    if (stop === undefined || ended.signal.aborted) return;
    // The first reason wins, so set it before the abort adds its own.
    run.stops.stop(stop);
    halt.abort();
  };
  const repeat = async (): Promise<void> => {
    for (;;) {
      await systemClock.sleep(UPDATE_MS, ended.signal);
      if (ended.signal.aborted) return;
      // An unavailable database is reported by the writes to it.
      await update().catch(() => {});
    }
  };
  void repeat();
  const onStop = (): void => halt.abort(stopping.reason);
  stopping.addEventListener('abort', onStop);
  if (stopping.aborted) onStop();
  return () => {
    ended.abort();
    stopping.removeEventListener('abort', onStop);
  };
}

/** Stops the run if the errors of all its shards exceed the limit. */
async function checkErrors({ plan, deps, active }: WorkerRun): Promise<void> {
  const { errorLimit } = plan.settings;
  if (errorLimit.kind === 'never') return;
  const { counts } = await deps.store.progress(active.run);
  const stops = new StopConditions(errorLimit);
  stops.checkErrors(counts);
  if (stops.reason !== undefined) await deps.store.stopRun(active, stops.reason);
}
