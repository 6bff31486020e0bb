import { RepeatProblems } from '../../duplicates/repeat-problems.js';
import { hashSpan } from '../../input/file-input.js';
import { reviewFields } from '../../mapping/review-fields.js';
import { JournalError, SourceError } from '../../model/errors.js';
import type { Source } from '../../model/source.js';
import { EventHub } from '../../outcomes/events.js';
import { type Stop, StopConditions } from '../../outcomes/stop-conditions.js';
import { RunOutputs } from '../../outputs/run-outputs.js';
import type { Shard, ShardCounts, Shards } from '../../runs/postgres/shards.js';
import { Run } from '../../runs/run.js';
import { errorLimit, rememberOption } from '../check-options.js';
import type { ImportOptions } from '../options.js';
import { openRecorder } from '../pipeline/open-recorder.js';
import type { PreparedRun } from '../pipeline/prepare-run.js';
import { readDocuments } from '../pipeline/read-documents.js';
import { sendDocuments } from '../pipeline/sending.js';
import { type ShardReport, tellShard } from '../pipeline/shard-report.js';
import { UndecodablePlaces } from '../pipeline/undecodable-places.js';
import { tellFixed } from '../pipeline/write-report.js';
import { partOf } from './open-input.js';
import type { ShardSpan } from './plan-input.js';
import { ShardRejects } from './shard-rejects.js';
import type { WorkedRun } from './worked-run.js';

/** How often a worker says how far it is, and asks whether the run is stopped, in milliseconds. */
const TELL_MS = 500;

/**
 * Takes one shard through the pipeline: as a run of its own, of which the whole run's report is made
 * later. What it has sent is in the entries, so that whoever takes it over goes on from there.
 * @param leaving aborted when this process is to end: the shard is given back
 */
export async function processShard(
  worked: WorkedRun,
  { shard, shards, leaving }: ShardWork,
): Promise<void> {
  const source = await readableSource(worked, shard);
  if (source === undefined) {
    await shards.giveBack(shard);
    return;
  }
  const rejects = new ShardRejects((number, lines) => shards.reject(shard, number, lines));
  const halt = new AbortController();
  const run = prepareShard(worked, { shard, source, rejects, signal: halt.signal });
  const { store } = worked.means;
  const leave = (): void => halt.abort(leaving.reason);
  if (leaving.aborted) leave();
  leaving.addEventListener('abort', leave);
  const telling = tellWhile(worked, { shard, shards, run });
  try {
    const stored = store.openShard(worked.active, shard, worked.session);
    const kept = await Run.of(store, stored);
    try {
      if (worked.active.follows) await kept.openLedger();
      await sendShard(worked, run, kept);
      await kept.flush();
      await tellFixed(run, kept);
      await rejects.flush();
      const report = JSON.stringify(toldOf(worked, shard, run, kept));
      await end(worked, { shard, shards, run, report, leaving });
    } finally {
      await kept.release();
    }
  } catch (error) {
    // Somebody else has the shard by now, or the state is away: nothing can be said of it.
    if (!(error instanceof JournalError)) throw error;
    worked.means.notice(error.message);
  } finally {
    telling.stop();
    leaving.removeEventListener('abort', leave);
  }
}

/** A shard that this process has taken. */
interface ShardWork {
  readonly shard: Shard;
  readonly shards: Shards;
  readonly leaving: AbortSignal;
}

/** `undefined` if this process can't read it as the run's planner did; others may. */
async function readableSource(worked: WorkedRun, shard: Shard): Promise<Source | undefined> {
  const { input } = shard;
  try {
    const source = await worked.source(input);
    const span = shard.span as ShardSpan | null;
    const planned = worked.plan.inputs[input] as WorkedRun['plan']['inputs'][number];
    if (span !== null) {
      const { path } = source.file as NonNullable<Source['file']>;
      if ((await hashSpan(path, span)) !== span.hash) {
        throw new SourceError(
          `This worker sees another file as ${path} than the run was begun with: the bytes from ${span.from.byte} to ${span.to} are others. If it was changed, cancel the run and import the file anew: what was accepted is known.`,
        );
      }
    }
    return partOf(source, planned, { input, span: span ?? undefined });
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    worked.unreadable.add(input);
    worked.means.notice(error.message);
    return undefined;
  }
}

interface ShardMeans {
  readonly shard: Shard;
  readonly source: Source;
  readonly rejects: ShardRejects;
  readonly signal: AbortSignal;
}

/** What the pipeline needs to take a shard through it. */
function prepareShard(
  worked: WorkedRun,
  { shard, source, rejects, signal }: ShardMeans,
): PreparedRun {
  const { active, plan, transform, means, service } = worked;
  const stops = new StopConditions({ kind: 'never' });
  const halt = (): void => stops.stop({ kind: 'interrupted', message: 'the run was interrupted' });
  if (signal.aborted) halt();
  signal.addEventListener('abort', halt);
  const hub = new EventHub();
  const named = plan.inputs.map((input, index) =>
    index === shard.input ? source : input,
  ) as Source[];
  const { recorder, fixed } = openRecorder(named, {
    hub,
    stops,
    rejects: rejects.writer,
    withRecords: false,
  });
  const changeable = reviewFields(transform.mapping).others.map(({ name }) => name);
  const notices: string[] = [];
  const startedMs = Date.now();
  return {
    id: active.id,
    startedMs,
    target: service.target,
    sources: [source],
    transform,
    limits: {
      threads: means.threads,
      rememberBytes: rememberOption(plan.sending as ImportOptions),
    },
    recorder,
    findings: {
      repeats: new RepeatProblems(changeable),
      undecodable: new UndecodablePlaces(),
      fixed,
    },
    stops,
    files: {
      outputs: new RunOutputs(active.id, { force: false, marks: [] }),
      rejects: undefined,
      reportFile: undefined,
    },
    hub,
    signal,
    release: () => signal.removeEventListener('abort', halt),
    notices,
    notice: (message) => notices.push(message),
    progress: () => ({
      counts: recorder.counts(),
      // It looks beyond its end, where others read as well.
      bytesRead: Math.min(source.bytesRead(), shard.bytes),
      bytesTotal: shard.bytes,
      elapsedMs: Date.now() - startedMs,
    }),
    tellProgress: () => {},
  };
}

async function sendShard(worked: WorkedRun, run: PreparedRun, kept: Run): Promise<void> {
  const { service, settings } = worked;
  const { pacing } = worked.pace;
  await sendDocuments(readDocuments(run), { run, kept, service, settings, pacing });
}

/** What it tells, as a part of the whole run. */
function toldOf(worked: WorkedRun, shard: Shard, run: PreparedRun, kept: Run): ShardReport {
  const { input, span } = shard;
  const before = ((span as ShardSpan | null)?.from.record ?? 1) - 1;
  const told = tellShard(run, kept, before);
  const [read = 0] = told.records;
  return { ...told, records: worked.plan.inputs.map((_, at) => (at === input ? read : 0)) };
}

/** What a shard's end means for the whole run. */
async function end(
  worked: WorkedRun,
  { shard, shards, run, report, leaving }: ShardWork & { run: PreparedRun; report: string },
): Promise<void> {
  const { reason } = run.stops;
  const isOwn = reason?.kind === 'interrupted';
  const stopped = await worked.means.store.stopOf(worked.active);
  // Only this process ends, and not the run.
  if (isOwn && leaving.aborted && stopped === undefined) {
    await shards.giveBack(shard);
    return;
  }
  if (reason !== undefined && !isOwn) {
    const { kind, message } = reason;
    await worked.means.store.stopRun(worked.active, { kind, message });
  }
  const counts = countsOf(run);
  await shards.leave(shard, { end: reason === undefined ? 'done' : 'stopped', report, counts });
}

function countsOf({ progress }: PreparedRun): ShardCounts {
  const { counts, bytesRead } = progress();
  return { ...counts, bytesRead };
}

/** Says how far a shard is, every now and then, and stops it when the run is. */
function tellWhile(
  worked: WorkedRun,
  { shard, shards, run }: Pick<ShardWork, 'shard' | 'shards'> & { readonly run: PreparedRun },
): { readonly stop: () => void } {
  const { store } = worked.means;
  let isTelling = false;
  const tell = async (): Promise<void> => {
    await shards.tell(shard, countsOf(run));
    await checkErrors(worked);
    const stop = await store.stopOf(worked.active);
    if (stop !== undefined) run.stops.stop(stop as Stop);
  };
  const timer = setInterval(() => {
    // A state that is away is told of by who writes to it.
    if (isTelling) return;
    isTelling = true;
    tell()
      .catch(() => {})
      .finally(() => {
        isTelling = false;
      });
  }, TELL_MS);
  const { lost } = worked.session;
  const losing = (): void =>
    run.stops.stop({ kind: 'output', message: (lost.reason as Error).message, cause: lost.reason });
  lost.addEventListener('abort', losing);
  return {
    stop: () => {
      clearInterval(timer);
      lost.removeEventListener('abort', losing);
    },
  };
}

/** Errors count over the whole run. */
async function checkErrors({ plan, means, active }: WorkedRun): Promise<void> {
  const { maxErrors } = plan.sending;
  if (maxErrors === undefined) return;
  const { counts } = await means.store.progress(active.run);
  const stops = new StopConditions(errorLimit(maxErrors));
  stops.checkErrors(counts);
  const { reason } = stops;
  if (reason === undefined) return;
  await means.store.stopRun(active, { kind: reason.kind, message: reason.message });
}
