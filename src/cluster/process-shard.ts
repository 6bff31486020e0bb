import { hasChanged, hashSpan } from '../input/file-input.js';
import type { DocumentRange } from '../model/documents.js';
import { SourceError } from '../model/errors.js';
import type { RegularFile, Source } from '../model/source.js';
import { newFindings, type PipelineRun, progressOf } from '../operations/pipeline/pipeline-run.js';
import { stopOnAbort } from '../operations/pipeline/prepare-run.js';
import { readDocuments } from '../operations/pipeline/read-documents.js';
import { closeFigures } from '../operations/pipeline/run-report.js';
import { sendDocuments } from '../operations/pipeline/send-documents.js';
import { EventHub } from '../outcomes/events.js';
import { type Stop, StopConditions, type StopReport } from '../outcomes/stop-conditions.js';
import { Run } from '../runs/run.js';
import { partOf } from './open-input.js';
import type { ShardSpan } from './plan-input.js';
import type { Shard, ShardCounts, Shards } from './postgres/shards.js';
import { ShardRejects } from './shard-rejects.js';
import { type ShardReport, shardReport } from './shard-report.js';
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
}

/**
 * One shard on its way through the pipeline: a run of its own, of which the whole run's report is
 * made later. What it has sent is in the entries, so that whoever takes it over goes on from there.
 */
export class ShardProcess {
  /** Resolves once all of it was read, so that another shard may be, or it is over. */
  readonly read: Promise<void>;
  readonly #worked: WorkedRun;
  readonly #work: ShardWork;
  readonly #run: PipelineRun;
  readonly #kept: Run;
  readonly #rejects: ShardRejects;
  readonly #stopTelling: () => void;
  readonly #documents: AsyncGenerator<readonly DocumentRange[], void, undefined>;
  #wasRead: () => void = () => {};

  private constructor(worked: WorkedRun, work: ShardWork, opened: OpenedShard) {
    this.#worked = worked;
    this.#work = work;
    this.#run = opened.run;
    this.#kept = opened.kept;
    this.#rejects = opened.rejects;
    this.#stopTelling = tellWhile(worked, { ...work, ...opened });
    this.read = new Promise((resolve) => {
      this.#wasRead = resolve;
    });
    this.#documents = aheadOf(readDocuments(opened.run), this.#wasRead);
  }

  /**
   * Makes sure that it is what the run's planner saw, and begins to read it.
   * @returns `undefined` if this process can't read it: it was given back
   */
  static async open(worked: WorkedRun, work: ShardWork): Promise<ShardProcess | undefined> {
    const { shard, shards } = work;
    const source = await readableSource(worked, shard);
    if (source === undefined) {
      await shards.giveBack(shard);
      return undefined;
    }
    const rejects = new ShardRejects((page, lines) => shards.reject(shard, page, lines));
    const halt = new AbortController();
    const run = prepareShard(worked, { source, rejects, signal: halt.signal });
    const { store } = worked.means;
    const kept = await Run.of(store, store.openShard(worked.active, shard, worked.session));
    return new ShardProcess(worked, work, { run, kept, rejects, halt });
  }

  /** Sends it, until all is settled or it is to stop, says what came of it, and gives it back. */
  async process(): Promise<void> {
    try {
      await this.#send();
      await this.#end();
    } finally {
      await this.#close();
    }
  }

  async #send(): Promise<void> {
    const { service, active, pacing } = this.#worked;
    if (active.follows) await this.#kept.openLedger();
    await this.#worked.shareRate().catch(() => {});
    const deps = { service, stored: this.#kept, pacing, ahead: INTENDED_AHEAD };
    await sendDocuments(this.#documents, this.#run, deps);
  }

  async #end(): Promise<void> {
    const { shard, shards, leaving } = this.#work;
    const { means, active } = this.#worked;
    const [run, kept] = [this.#run, this.#kept];
    await kept.flush();
    await this.#rejects.flush();
    const report = JSON.stringify(reportOf(this.#worked, shard, run, kept));
    // It may have been over before it said anything.
    await shards.tell(shard, countsOf(run));
    await checkErrors(this.#worked);
    const { reason } = run.stops;
    const isOwn = reason?.kind === 'interrupted';
    // Only this process ends, and not the run.
    if (isOwn && leaving.aborted && (await means.store.stopOf(active)) === undefined) {
      await shards.giveBack(shard);
      return;
    }
    if (reason?.kind === 'source') {
      // One input that can't be read to its end is no reason to leave out the others.
      await shards.planned(active.run, shard.input, reason.message);
    } else if (reason !== undefined && !isOwn) await means.store.stopRun(active, stopOf(reason));
    const end = reason === undefined ? 'done' : 'stopped';
    const { batches: requests, retries } = run.recorder;
    await shards.leave(shard, { end, report, counts: countsOf(run), requests, retries });
  }

  async #close(): Promise<void> {
    this.#wasRead();
    this.#stopTelling();
    await this.#documents.return().catch(() => {});
    await this.#kept.release();
  }
}

interface OpenedShard {
  readonly run: PipelineRun;
  readonly kept: Run;
  readonly rejects: ShardRejects;
  /** Ends reading and all pauses, but for the requests in flight. */
  readonly halt: AbortController;
}

/** Begins with the first at once, before anybody asks for it, and tells when there is no more. */
function aheadOf<T>(
  items: AsyncGenerator<T, void, undefined>,
  ended: () => void,
): AsyncGenerator<T, void, undefined> {
  const first = items.next();
  // Whoever asks for it is told.
  first.catch(() => {});
  return (async function* () {
    try {
      for (let step = await first; !step.done; step = await items.next()) yield step.value;
    } finally {
      ended();
      await items.return();
    }
  })();
}

function stopOf({ kind, message }: Stop): StopReport {
  return { kind, message };
}

/** `undefined` if this process can't read it as the run's planner did; others may. */
async function readableSource(worked: WorkedRun, shard: Shard): Promise<Source | undefined> {
  const { input } = shard;
  try {
    const source = await worked.source(input);
    const span = shard.span as ShardSpan | null;
    const planned = worked.plan.inputs[input] as WorkedRun['plan']['inputs'][number];
    if (span !== null) await checkSpan(source.file as RegularFile, span);
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
  const { plan, transform, pool } = worked;
  const hub = new EventHub();
  // Errors count over the whole run.
  const settings = { ...worked.settings, errorLimit: { kind: 'never' } } as const;
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
function reportOf(worked: WorkedRun, shard: Shard, run: PipelineRun, kept: Run): ShardReport {
  const { from } = (shard.span as ShardSpan | null) ?? {};
  const before = (from?.record ?? 1) - 1;
  return shardReport(
    closeFigures(run, { inputs: worked.plan.inputs.length, stored: kept, before }),
  );
}

function countsOf(run: PipelineRun): ShardCounts {
  const { counts, bytesRead } = progressOf(run);
  return { ...counts, bytesRead };
}

/** Says how far a shard is, every now and then, and stops it when the run is. */
function tellWhile(
  worked: WorkedRun,
  { shard, shards, leaving, run, halt }: ShardWork & Pick<OpenedShard, 'run' | 'halt'>,
): () => void {
  const { store } = worked.means;
  let isTelling = false;
  const tell = async (): Promise<void> => {
    await worked.shareRate();
    await shards.tell(shard, countsOf(run));
    await checkErrors(worked);
    const stop = await store.stopOf(worked.active);
    if (stop !== undefined) stopFor(stop as Stop);
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
    stopFor({ kind: 'output', message: (lost.reason as Error).message, cause: lost.reason });
  const leave = (): void => halt.abort(leaving.reason);
  lost.addEventListener('abort', losing);
  leaving.addEventListener('abort', leave);
  if (leaving.aborted) leave();
  return () => {
    clearInterval(timer);
    lost.removeEventListener('abort', losing);
    leaving.removeEventListener('abort', leave);
  };

  /** The first reason stands, so it comes before that of the abort. */
  function stopFor(stop: Stop): void {
    run.stops.stop(stop);
    halt.abort();
  }
}

/** Errors count over the whole run. */
async function checkErrors({ plan, settings, means, active }: WorkedRun): Promise<void> {
  if (plan.sending.maxErrors === undefined) return;
  const { counts } = await means.store.progress(active.run);
  const stops = new StopConditions(settings.errorLimit);
  stops.checkErrors(counts);
  const { reason } = stops;
  if (reason === undefined) return;
  await means.store.stopRun(active, { kind: reason.kind, message: reason.message });
}
