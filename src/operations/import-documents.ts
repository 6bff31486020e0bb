import { loadSqlite } from '../model/open-sqlite.js';
import type { RunStore } from '../runs/store.js';
import type { StoredRun } from '../runs/stored-run.js';
import type { ThreadPool } from '../transform/pool/transform-on-threads.js';
import type { ImportOptions, ValidateOptions } from './options.js';
import { ImportRun, RunControl, type RunEnd, traced } from './pipeline/import-run.js';
import { prepareRun } from './pipeline/prepare-run.js';
import { readDocuments, startThreads } from './pipeline/read-documents.js';
import { finishRun, runEndOf } from './pipeline/run-report.js';
import { checkOnePlace, checkStateless, runSettings } from './settings.js';

/**
 * Imports documents: reads the input, maps and validates every record, posts batches, and reports the
 * outcome of each record.
 *
 * Await the run for its report, or loop over it for events. With a `stateDir`, a run that left
 * something undone can be resumed.
 * @throws Rejects before anything is sent, if the run can't start: OptionError; MappingError;
 *   SourceError for an input that can't be opened; DriftError; ResumeError; JournalError if the state
 *   can't be used; InterruptedError. Later RunFailedError, which carries the report (see `throwOn`).
 */
// biome-ignore lint/suspicious/noExplicitAny: a file's records have any fields.
export function importDocuments<Row = any>(options: ImportOptions<Row>): ImportRun {
  return startImport(options);
}

/**
 * Starts an import. Imports of one process with the same `lockHolder` run concurrently even into one
 * monitoring. Their inputs must have no documents in common, because none sees what the others send.
 */
export function startImport(options: ImportOptions, lockHolder?: string): ImportRun {
  const names = { caller: 'importDocuments', span: 'docferry.import' } as const;
  return start(options, names, importLocallyOrOnCluster, lockHolder);
}

/**
 * Reads, maps and validates like an import, but sends nothing. Valid records count as `unsent`.
 * @throws Rejects if the run can't start: OptionError, MappingError, SourceError, DriftError,
 *   InterruptedError; later RunFailedError, as `importDocuments` does
 */
// biome-ignore lint/suspicious/noExplicitAny: as above.
export function validateDocuments<Row = any>(options: ValidateOptions<Row>): ImportRun {
  return start(options, { caller: 'validateDocuments', span: 'docferry.validate' }, validate);
}

function start<Options extends ValidateOptions>(
  options: Options,
  { caller, span }: { readonly caller: string; readonly span: Parameters<typeof traced>[0] },
  work: (options: Options, control: RunControl) => Promise<RunEnd>,
  lockHolder?: string,
): ImportRun {
  const control = new RunControl(lockHolder);
  const { signal } = control;
  const running = control
    .begin(options, caller)
    .then(() => traced(span, () => work({ ...options, signal }, control)));
  return new ImportRun(control, running, options);
}

async function importLocallyOrOnCluster(
  options: ImportOptions,
  control: RunControl,
): Promise<RunEnd> {
  const { state, stateDir } = options;
  const location = state ?? stateDir;
  if (location === undefined) {
    checkStateless(options);
    return await importHere(undefined, options, control);
  }
  checkOnePlace(options);
  if (state !== undefined) {
    const { isShareable } = await import('./pipeline/open-run.js');
    // If workers can't take part but `work: false` asks for them, the cluster refuses the import.
    if (options.work === false || isShareable(options)) {
      const { importOnCluster } = await import('../cluster/import-on-cluster.js');
      return await importOnCluster({ ...options, state }, control);
    }
  }
  const { withStore } = await import('../runs/folder/store.js');
  if (state === undefined) loadSqlite();
  return await withStore(location, (store) => importHere(store, options, control));
}

/** @param store for journal and ledger; `undefined` without a state */
async function importHere(
  store: RunStore | undefined,
  options: ImportOptions,
  control: RunControl,
): Promise<RunEnd> {
  const settings = runSettings(options);
  // Loaded lazily; validations never send.
  const { openService, sendDocuments } = await import('./pipeline/send-documents.js');
  const runs = await import('./pipeline/open-run.js');
  const service = openService(options, settings);
  let earlier: StoredRun | undefined;
  let stored: StoredRun | undefined;
  let threads: ThreadPool | undefined;
  try {
    earlier = await runs.findEarlierRun(store, options, service.target);
    const finished = earlier && (await runs.finishedReport(earlier, options, control.hub));
    if (finished !== undefined) return runEndOf(finished);
    threads = await startThreads(options, settings);
    const run = await prepareRun(options, { settings, control, target: service.target, earlier });
    if (options.resume === true && earlier === undefined) run.notice(NOTHING_TO_RESUME);
    const { lockHolder } = control;
    stored = await runs.openRun(store, options, run, { earlier, lockHolder });
    await sendDocuments(readDocuments(run, threads), run, { service, stored });
    return await finishRun(run, stored, options.stateDir);
  } finally {
    await threads?.stop();
    await stored?.release();
    await earlier?.release();
    await service.close();
  }
}

const NOTHING_TO_RESUME = 'No unfinished run of these inputs was found, so a new run was started.';

async function validate(options: ValidateOptions, control: RunControl): Promise<RunEnd> {
  const settings = runSettings(options);
  const threads = await startThreads(options, settings);
  try {
    const run = await prepareRun(options, { settings, control, target: null });
    for await (const _ of readDocuments(run, threads));
    return await finishRun(run);
  } finally {
    await threads?.stop();
  }
}
