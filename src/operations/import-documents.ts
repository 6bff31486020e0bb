import type { Run } from '../runs/run.js';
import type { RunStore } from '../runs/store.js';
import type { ThreadPool } from '../transform/pool/transform-on-threads.js';
import type { ImportOptions, ValidateOptions } from './options.js';
import { ImportRun, type RunEnd, RunStage, traced } from './pipeline/import-run.js';
import { prepareRun } from './pipeline/prepare-run.js';
import { readDocuments, startThreads } from './pipeline/read-documents.js';
import { endOf, finishRun } from './pipeline/run-report.js';
import { checkOnePlace, checkStateless, runSettings } from './settings.js';

/**
 * Imports documents: reads the input, maps and validates every record, posts batches, and reports the
 * outcome of each record.
 *
 * Await the run for its report, or loop over it for events. A run that can't start (a wrong
 * option, a mistake in the mapping, a missing file) rejects with a `DocferryError` before anything
 * is sent. A run that has started and ends early rejects with a `RunFailedError` that carries its
 * report (see the option `throwOn`). With a `stateDir`, a run that left something undone can be
 * resumed.
 */
export function importDocuments(options: ImportOptions): ImportRun {
  return startImport(options);
}

/**
 * The same for imports that don't wait for each other, though they go into one monitoring: their
 * inputs must have no documents in common, as none knows what the others send meanwhile.
 * @param lockHolder the same for all of them, in one process
 */
export function startImport(options: ImportOptions, lockHolder?: string): ImportRun {
  const names = { by: 'importDocuments', span: 'docferry.import' } as const;
  return start(options, names, (given, stage) => importWhereAsked(given, stage, lockHolder));
}

/**
 * Takes the path of an import without sending. Valid records count as `unsent`.
 */
export function validateDocuments(options: ValidateOptions): ImportRun {
  return start(options, { by: 'validateDocuments', span: 'docferry.validate' }, validate);
}

/** @param by the function that was called */
function start<Options extends ValidateOptions>(
  options: Options,
  { by, span }: { readonly by: string; readonly span: Parameters<typeof traced>[0] },
  work: (options: Options, stage: RunStage) => Promise<RunEnd>,
): ImportRun {
  const stage = new RunStage();
  const { signal } = stage;
  const running = stage
    .begin(options, by)
    .then(() => traced(span, () => work({ ...options, signal }, stage)));
  return new ImportRun(stage, running, options);
}

async function importWhereAsked(
  options: ImportOptions,
  stage: RunStage,
  lockHolder: string | undefined,
): Promise<RunEnd> {
  const { state, stateDir } = options;
  const place = state ?? stateDir;
  if (place === undefined) {
    checkStateless(options);
    return await importHere(undefined, options, stage);
  }
  checkOnePlace(options);
  if (state !== undefined && (await isForWorkers(options))) {
    const { importOnCluster } = await import('../cluster/import-on-cluster.js');
    return await importOnCluster({ ...options, state }, stage);
  }
  const { withStore } = await import('../runs/folder/store.js');
  return await withStore(place, (store) => importHere(store, options, stage, lockHolder));
}

/** Whether workers take part: those that can't are refused only where they are asked for. */
async function isForWorkers(options: ImportOptions): Promise<boolean> {
  const { isShareable } = await import('./pipeline/open-run.js');
  return options.work === false || isShareable(options);
}

/** @param store where the run is kept; `undefined`: nowhere */
async function importHere(
  store: RunStore | undefined,
  options: ImportOptions,
  stage: RunStage,
  lockHolder?: string,
): Promise<RunEnd> {
  const settings = runSettings(options);
  // Loaded lazily: a validation needs none of it.
  const sending = await import('./pipeline/send-documents.js');
  const service = sending.openService(options, settings);
  let earlier: Run | undefined;
  let stored: Run | undefined;
  let threads: ThreadPool | undefined;
  let stopPublishing = (): void => {};
  try {
    earlier = await sending.findEarlierRun(store, options, service.target);
    const finished = earlier && (await sending.finishedReport(earlier, options));
    if (finished !== undefined) return endOf(finished);
    threads = await startThreads(options, settings);
    const run = await prepareRun(options, { settings, stage, target: service.target, earlier });
    stored = await sending.openRun(store, options, run, { earlier, lockHolder });
    stopPublishing = sending.publishProgress(run, options);
    await sending.sendDocuments(readDocuments(run, threads), run, { service, stored });
    return await sending.finishRun(run, stored);
  } finally {
    stopPublishing();
    await threads?.stop();
    await stored?.release();
    await earlier?.release();
    await service.close();
  }
}

async function validate(options: ValidateOptions, stage: RunStage): Promise<RunEnd> {
  const settings = runSettings(options);
  const threads = await startThreads(options, settings);
  try {
    const run = await prepareRun(options, { settings, stage, target: null });
    for await (const _ of readDocuments(run, threads));
    return await finishRun(run);
  } finally {
    await threads?.stop();
  }
}
