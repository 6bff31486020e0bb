/**
 * The process that requests a cluster import: starts or resumes the run, follows it, writes its
 * files.
 */

import { systemClock } from '../delivery/context.js';
import { InterruptedError, JournalError, ResumeError, ServiceError } from '../model/errors.js';
import { omitUndefined } from '../model/options.js';
import { VERSION } from '../model/version.js';
import type { ImportOptions } from '../operations/options.js';
import { checkIdRule } from '../operations/pipeline/check-id-rule.js';
import type { RunControl, RunEnd } from '../operations/pipeline/import-run.js';
import { describeRun, earlierRunId, isFinished } from '../operations/pipeline/open-run.js';
import { progressOf } from '../operations/pipeline/pipeline-run.js';
import { type PreparedRun, prepareRun } from '../operations/pipeline/prepare-run.js';
import { runEndOf, writeReportFiles } from '../operations/pipeline/run-report.js';
import { openService } from '../operations/pipeline/send-documents.js';
import { runSettings } from '../operations/settings.js';
import type { Progress } from '../outcomes/events.js';
import type { Report } from '../report/report.js';
import { checkUnchanged } from '../runs/description.js';
import { StoredRun } from '../runs/stored-run.js';
import { readSettings } from './postgres/session.js';
import { type ActiveRun, PostgresStore, type RunProgress } from './postgres/store.js';
import { planRun, type RunPlan } from './run-plan.js';
import { writeRejects } from './shard-report.js';
import { work } from './worker.js';
import type { WorkerDeps } from './worker-run.js';

const POLL_MS = 300;

export type SharedImportOptions = ImportOptions & { readonly state: string };

/** Imports with all workers of the state, and waits for the end of the run. */
export async function importOnCluster(
  options: SharedImportOptions,
  control: RunControl,
): Promise<RunEnd> {
  return await PostgresStore.use(options.state, async (store) => {
    const begun = await begin(store, options, control);
    if ('report' in begun) return runEndOf(begun.report);
    return await withResumeHint(begun, async () => {
      if (!begun.hasEnded) await follow(store, begun, options, control);
      return runEndOf(await writeOutputs(store, begun), begun.prepared);
    });
  });
}

/**
 * Adds the command to resume to an error of the state. A refused login ends the import immediately,
 * unlike an unavailable database, which is retried: it lasts until the user acts.
 */
async function withResumeHint<T>({ active }: StartedRun, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    const message = `${error.message} To resume: \`docferry runs resume ${active.id}\`.`;
    throw new JournalError(message, { cause: error });
  }
}

/** @returns the run's id */
export async function beginOnCluster(
  options: SharedImportOptions,
  control: RunControl,
): Promise<string> {
  return await PostgresStore.use(options.state, async (store) => {
    const begun = await begin(store, options, control);
    if ('report' in begun) return begun.report.run;
    return begun.active.id;
  });
}

interface StartedRun {
  readonly active: ActiveRun;
  readonly prepared: PreparedRun;
  /** True if the run had already ended and only its output files are to be written. */
  readonly hasEnded: boolean;
}

async function begin(
  store: PostgresStore,
  options: SharedImportOptions,
  control: RunControl,
): Promise<StartedRun | { readonly report: Report }> {
  const target = await checkedTarget(options, control.signal);
  const earlier = await earlierRun(store, options, target);
  const hasEnded = earlier !== undefined && isFinished(earlier.stored, options);
  if (earlier !== undefined && !hasEnded) checkVersion(earlier.active);
  // Output files are written where the inputs are; if none is requested, the inputs need not be
  // readable here.
  const asked = [options.rejects, options.reportFile, options.htmlFile, options.eventsFile];
  if (hasEnded && asked.every((file) => file === undefined)) {
    return { report: earlier.stored.report as Report };
  }
  const settings = runSettings(options);
  const stored = earlier?.stored;
  const prepared = await prepareRun(options, { settings, control, target, earlier: stored });
  const description = describeRun(options, prepared);
  // Shards that were cut before line up with new ones that are cut alike. A run of a single process
  // has no plan, and can't be resumed here, because its inputs differ.
  const before = earlier && (JSON.parse(earlier.active.plan) as RunPlan | null);
  const cutting = before ?? (await readSettings(store.database));
  const plan = JSON.stringify(
    planRun(options, prepared, { ...cutting, target: description.target }),
  );
  if (earlier === undefined) {
    await checkIdRule(store, description, { options, mapping: prepared.transform.mapping });
    return { active: await store.beginRun(prepared.id, description, plan), prepared, hasEnded };
  }
  checkUnchanged(earlier.active.id, earlier.stored.description, description);
  if (!hasEnded) await store.resumeRun(earlier.active, plan, options.retryRejected);
  return { active: await store.find(prepared.id), prepared, hasEnded };
}

/** @throws ResumeError if another version began it: this one may produce different documents */
function checkVersion({ id, version, state }: ActiveRun): void {
  const own = VERSION;
  if (version === own) return;
  const toEnd = state === 'ended' ? '' : ` once \`docferry runs cancel ${id}\` has ended it`;
  throw new ResumeError(
    `The run ${id} was started with docferry ${version}, and this is docferry ${own}, which may produce different documents. Resume it with docferry ${version}, or start a new import without --resume${toEnd}: accepted documents aren't sent again.`,
  );
}

/**
 * Checks access before starting, so that a run never starts that this process itself may not send.
 * An overloaded service, or one in maintenance, is waited for by those that send.
 * @throws AccessError, ServiceDownError, InterruptedError
 */
async function checkedTarget(
  options: SharedImportOptions,
  signal: AbortSignal,
): Promise<NonNullable<PreparedRun['target']>> {
  const service = openService(options, runSettings(options));
  try {
    const refused = await service.access(signal);
    if (refused === undefined || refused.cause.cause instanceof ServiceError) return service.target;
    if (signal.aborted) throw new InterruptedError(signal);
    throw refused.cause;
  } finally {
    await service.close();
  }
}

interface EarlierRun {
  readonly active: ActiveRun;
  readonly stored: StoredRun;
}

/** Finds the run to resume, which workers may be processing already. */
async function earlierRun(
  store: PostgresStore,
  options: SharedImportOptions,
  target: NonNullable<PreparedRun['target']>,
): Promise<EarlierRun | undefined> {
  const id = await earlierRunId(store, options, target);
  if (id === undefined) return undefined;
  const active = await store.find(id);
  return { active, stored: await StoredRun.of(store, await store.openReadOnly(id)) };
}

/** Works on the run too, unless `work` is false, and emits progress until the run has ended. */
async function follow(
  store: PostgresStore,
  begun: StartedRun,
  options: SharedImportOptions,
  control: RunControl,
): Promise<void> {
  const { hub, signal } = control;
  const { active, prepared } = begun;
  const ended = new AbortController();
  let latest: RunProgress | undefined;
  const progress = (): Progress => clusterProgress(prepared, latest);
  control.view = { notices: prepared.notices, progress };
  const working = workAlong(store, begun, options, ended.signal).finally(() => ended.abort());
  // Thrown by the loop.
  working.catch(() => {});
  try {
    for (;;) {
      latest = await store.progress(active.run);
      hub.emit({ type: 'progress', progress: progress() });
      if (latest.state === 'ended') break;
      if (ended.signal.aborted) await working;
      if (signal.aborted) await store.stopRun(active, INTERRUPTED);
      await systemClock.sleep(POLL_MS, ended.signal);
    }
  } finally {
    ended.abort();
    await working.catch(() => {});
  }
}

const INTERRUPTED = { kind: 'interrupted', message: 'the run was interrupted' } as const;

function clusterProgress(prepared: PreparedRun, latest: RunProgress | undefined): Progress {
  const progress = progressOf(prepared);
  if (latest === undefined) return progress;
  const { bytesRead, ...counts } = latest.counts;
  return { ...progress, counts, bytesRead };
}

async function workAlong(
  store: PostgresStore,
  { active, prepared }: StartedRun,
  options: SharedImportOptions,
  signal: AbortSignal,
): Promise<void> {
  const { connection, service, abandonSignal } = options;
  const { notice, settings } = prepared;
  const deps: WorkerDeps = {
    ...{ store, notice, connection, threads: settings.threads },
    ...omitUndefined({ service, abandonSignal }),
  };
  await work(deps, { signal, takesShards: options.work !== false, only: active.run });
}

async function writeOutputs(
  store: PostgresStore,
  { active, prepared }: StartedRun,
): Promise<Report> {
  const stored = await store.openReadOnly(active.id);
  const { report } = await stored.facts();
  if (report === undefined) throw new JournalError(`The run ${active.id} has no report.`);
  const { files, stops } = prepared;
  files.outputs.rememberWith((marks) => stored.writeOutputs(marks));
  const rejects = await writeRejects(store, active.run, prepared);
  const written = await writeReportFiles({ ...(report as Report), rejects }, files, stops);
  await stored.writeReport(written);
  await stored.flush();
  return written;
}
