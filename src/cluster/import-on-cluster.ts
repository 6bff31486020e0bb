/** An import that other processes work on, too: what of it concerns the process that asks for it. */

import { ownVersion } from '../api/transport/http-transport.js';
import { systemClock } from '../delivery/context.js';
import { InterruptedError, JournalError, ResumeError } from '../model/errors.js';
import type { ImportOptions } from '../operations/options.js';
import type { RunControl, RunEnd } from '../operations/pipeline/import-run.js';
import { describeRun, givenOptions, targetOf } from '../operations/pipeline/open-run.js';
import { type PreparedRun, prepareRun, progressOf } from '../operations/pipeline/prepare-run.js';
import { endOf, writeReportFiles } from '../operations/pipeline/run-report.js';
import { openService } from '../operations/pipeline/send-documents.js';
import { runSettings } from '../operations/settings.js';
import type { Progress } from '../outcomes/events.js';
import type { Report } from '../report/report.js';
import { checkUnchanged, isSameJob, type Job } from '../runs/description.js';
import { isSomethingLeft, Run } from '../runs/run.js';
import type { StoredRun } from '../runs/store.js';
import { readSettings } from './postgres/session.js';
import { type ActiveRun, PostgresStore, type RunProgress } from './postgres/store.js';
import { planRun, type RunPlan } from './run-plan.js';
import { type ShardReport, writeRejects } from './shard-report.js';
import type { WorkMeans } from './worked-run.js';
import { ALL_TASKS, work } from './worker.js';

/** How often it is looked how far the run is, in milliseconds. */
const LOOK_MS = 300;

/** An import with a state that other processes share. */
export type SharedImportOptions = ImportOptions & { readonly state: string };

/** Imports together with all workers of the state, and waits for the end. */
export async function importOnCluster(
  options: SharedImportOptions,
  control: RunControl,
): Promise<RunEnd> {
  return await PostgresStore.lend(options.state, async (store) => {
    const begun = await begin(store, options, control);
    if ('report' in begun) return endOf(begun.report);
    return await resumable(begun, async () => {
      if (!begun.isOver) await follow(store, begun, options, control);
      return endOf(await writeOutputs(store, begun), begun.prepared);
    });
  });
}

/**
 * Says how to resume a run that the state stops. A refusal does so at once, where a state that is
 * away is waited for: it lasts until a person acts.
 */
async function resumable<T>({ active }: Begun, go: () => Promise<T>): Promise<T> {
  try {
    return await go();
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    const message = `${error.message} To resume: \`docferry runs resume ${active.id}\`.`;
    throw new JournalError(message, { cause: error });
  }
}

/**
 * Begins an import for workers, and doesn't wait for it.
 * @returns the run's id
 */
export async function beginOnCluster(
  options: SharedImportOptions,
  control: RunControl,
): Promise<string> {
  return await PostgresStore.lend(options.state, async (store) => {
    const begun = await begin(store, options, control);
    if ('report' in begun) return begun.report.run;
    if (!begun.isOver) await resumable(begun, () => store.addMissingJobs(begun.active.run));
    return begun.active.id;
  });
}

/** A run that workers have. */
interface Begun {
  readonly active: ActiveRun;
  readonly prepared: PreparedRun;
  /** It had ended before, with nothing left but to write what is asked for. */
  readonly isOver: boolean;
}

async function begin(
  store: PostgresStore,
  given: SharedImportOptions,
  control: RunControl,
): Promise<Begun | { readonly report: Report }> {
  const target = await checkedTarget(given, control.signal);
  const earlier = await earlierRun(store, given, target);
  const isOver = earlier !== undefined && isFinished(earlier.kept, given);
  if (earlier !== undefined && !isOver) checkVersion(earlier.active);
  // Its files are written where the inputs are; without any, those need not be there.
  const asked = [given.rejects, given.reportFile, given.htmlFile, given.eventsFile];
  if (isOver && asked.every((file) => file === undefined)) {
    return { report: earlier.kept.report as Report };
  }
  // A run that one process had to itself has none, and isn't resumed as it has other inputs.
  const before = earlier && (JSON.parse(earlier.active.plan) as RunPlan | null);
  const options = before ? cutAsIn(before, given) : given;
  const settings = runSettings(options);
  const kept = earlier?.kept;
  const prepared = await prepareRun(options, { settings, control, target, earlier: kept });
  const description = describeRun(options, prepared);
  const minShardBytes = before?.minShardBytes ?? (await readSettings(store.database)).minShardBytes;
  const plan = planRun(options, prepared, { target: description.target, minShardBytes });
  const version = ownVersion();
  const written = { plan: JSON.stringify(plan), version };
  if (earlier !== undefined) {
    checkUnchanged(earlier.active.id, earlier.kept.description, description);
    if (!isOver) await store.resumeRun(earlier.active, written, isToReopen(options));
    return { active: await store.find(prepared.id), prepared, isOver };
  }
  const alone = !((options.ledger ?? true) && (options.skipKnown ?? true));
  const inputs = prepared.sources.length;
  const active = await store.beginRun(prepared.id, { description, ...written, alone, inputs });
  return { active, prepared, isOver };
}

/** @throws ResumeError if another version began it: this one may make other documents */
function checkVersion({ id, version, state }: ActiveRun): void {
  const own = ownVersion();
  if (version === own) return;
  const toEnd = state === 'ended' ? '' : ` once \`docferry runs cancel ${id}\` has ended it`;
  throw new ResumeError(
    `The run ${id} was begun with docferry ${version}, and this is docferry ${own}, which may make other documents. Resume it with docferry ${version}, or import anew without --resume${toEnd}: what was accepted is known, and isn't sent again.`,
  );
}

/** Some of the shards may be there, and the others must begin where those end. */
function cutAsIn({ reading }: RunPlan, options: SharedImportOptions): SharedImportOptions {
  const { chunkBytes: _, ...source } = options.source ?? {};
  const { chunkBytes } = reading;
  return { ...options, source: { ...source, ...(chunkBytes === undefined ? {} : { chunkBytes }) } };
}

/**
 * Asks the service before anything is begun: a run that its own process may not send is others' alone.
 * @throws AccessError, ServiceDownError, InterruptedError
 */
async function checkedTarget(
  options: SharedImportOptions,
  signal: AbortSignal,
): Promise<NonNullable<PreparedRun['target']>> {
  const service = openService(options, runSettings(options));
  try {
    const refused = await service.access(signal);
    if (refused === undefined) return service.target;
    if (signal.aborted) throw new InterruptedError(signal);
    throw refused.cause;
  } finally {
    await service.close();
  }
}

interface EarlierRun {
  readonly active: ActiveRun;
  readonly kept: Run;
}

/** The run that is to be resumed, also one that others are working on. */
async function earlierRun(
  store: PostgresStore,
  options: SharedImportOptions,
  target: NonNullable<PreparedRun['target']>,
): Promise<EarlierRun | undefined> {
  const { resume } = options;
  if (resume === undefined || resume === false) return undefined;
  const now = { options: givenOptions(options), target: targetOf(options, { target }) };
  const ids = resume === true ? (await store.list()).toReversed() : [resume];
  for (const id of ids) {
    const active = await store.find(id);
    const kept = await store.look(id, async (stored) =>
      resume !== true || (await isLeft(stored, active, now))
        ? await Run.of(store, stored)
        : undefined,
    );
    if (kept !== undefined) return { active, kept };
  }
  return undefined;
}

/** Whether it is this job, and something of it is left to do. */
async function isLeft(stored: StoredRun, { state }: ActiveRun, now: Job): Promise<boolean> {
  const description = await stored.read('description');
  if (description === undefined || !isSameJob(description, now)) return false;
  return state !== 'ended' || isSomethingLeft(await stored.read('report'));
}

function isFinished({ report }: Run, { retryRejected }: ImportOptions): boolean {
  if (isSomethingLeft(report)) return false;
  return !(retryRejected && (report as Report).counts.rejected > 0);
}

/** Which shards there is something left to do of, going by what came of them. */
function isToReopen({ retryRejected = false }: ImportOptions): (report: string) => boolean {
  return (report) => {
    const { tally, readToEnd } = JSON.parse(report) as ShardReport;
    const { unsent, unknown, rejected } = tally.counts;
    return !readToEnd || unsent + unknown > 0 || (retryRejected && rejected > 0);
  };
}

/** Works along, unless told not to, and tells how far the run is, until it has ended. */
async function follow(
  store: PostgresStore,
  begun: Begun,
  options: SharedImportOptions,
  control: RunControl,
): Promise<void> {
  const { hub, signal } = control;
  const { active, prepared } = begun;
  const over = new AbortController();
  let failure: { readonly error: unknown } | undefined;
  let latest: RunProgress | undefined;
  const progress = (): Progress => clusterProgress(prepared, latest);
  control.view = { notices: prepared.notices, progress };
  const working = workAlong(store, begun, options, over.signal).catch((error: unknown) => {
    failure = { error };
    over.abort();
  });
  try {
    for (;;) {
      latest = await store.progress(active.run);
      hub.emit({ type: 'progress', progress: progress() });
      if (latest.state === 'ended') break;
      if (failure !== undefined) throw failure.error;
      if (signal.aborted) await store.stopRun(active, INTERRUPTED);
      await systemClock.sleep(LOOK_MS, over.signal);
    }
  } finally {
    over.abort();
    await working;
  }
}

const INTERRUPTED = { kind: 'interrupted', message: 'the run was interrupted' } as const;

function clusterProgress(prepared: PreparedRun, latest: RunProgress | undefined): Progress {
  const progress = progressOf(prepared);
  if (latest === undefined) return progress;
  const { bytesRead, ...counts } = latest.counts;
  return { ...progress, counts, bytesRead };
}

/** What an import still does that leaves the sending to workers. */
const TASKS_WITHOUT_WORK = ['plan', 'finish'] as const;

async function workAlong(
  store: PostgresStore,
  { active, prepared }: Begun,
  options: SharedImportOptions,
  signal: AbortSignal,
): Promise<void> {
  const { connection, service, abandonSignal } = options;
  const means: WorkMeans = {
    ...{
      store,
      threads: prepared.settings.threads,
      notice: prepared.notice,
      connection,
    },
    ...(service === undefined ? {} : { service }),
    ...(abandonSignal === undefined ? {} : { abandonSignal }),
  };
  const tasks = options.work === false ? TASKS_WITHOUT_WORK : ALL_TASKS;
  await work(means, { signal, tasks, only: active.run });
}

/** Writes the files that were asked for, once the run has ended. */
async function writeOutputs(store: PostgresStore, { active, prepared }: Begun): Promise<Report> {
  return await store.look(active.id, async (stored) => {
    const report = (await stored.read('report')) as Report | undefined;
    if (report === undefined) throw new JournalError(`The run ${active.id} has no report.`);
    const { files, stops } = prepared;
    files.outputs.rememberWith((marks) => stored.writeOutputs(marks));
    const rejects = await writeRejects(store, active.run, prepared);
    const written = await writeReportFiles({ ...report, rejects }, files, stops);
    await stored.write('report', written);
    await stored.flush();
    return written;
  });
}
