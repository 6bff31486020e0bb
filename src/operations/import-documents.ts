import { loadSqlite } from '../model/open-sqlite.js';
import type { RunStore } from '../runs/store.js';
import type { StoredRun } from '../runs/stored-run.js';
import type { ThreadPool } from '../transform/pool/transform-on-threads.js';
import type { ImportOptions, ValidateOptions } from './options.js';
import { finishRun, runEndOf } from './pipeline/finish-run.js';
import { ImportRun, RunControl, type RunEnd, type StartContext } from './pipeline/import-run.js';
import { prepareRun } from './pipeline/prepare-run.js';
import { readDocuments, startThreads } from './pipeline/read-documents.js';
import { checkPlace, runSettings } from './settings.js';
import { isOfShard } from './shards/check-shard-options.js';

/**
 * Imports documents: reads the input, maps and validates every record, posts batches, and reports the
 * outcome of each record.
 *
 * Await the run for its report, or loop over it for events. Without `stateDir: false`, a run that
 * left something undone can be resumed.
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
export function startImport(options: ImportOptions, context?: StartContext): ImportRun {
  const control = new RunControl(context);
  return new ImportRun(control, importWhereStored(options, control), options);
}

/**
 * Reads, maps and validates like an import, but sends nothing. Valid records count as `unsent`.
 * @throws Rejects if the run can't start: OptionError, MappingError, SourceError, DriftError,
 *   InterruptedError; later RunFailedError, as `importDocuments` does
 */
// biome-ignore lint/suspicious/noExplicitAny: as above.
export function validateDocuments<Row = any>(options: ValidateOptions<Row>): ImportRun {
  const control = new RunControl();
  return new ImportRun(control, validate(options, control), options);
}

async function importWhereStored(given: ImportOptions, control: RunControl): Promise<RunEnd> {
  const options = await control.begin(given, 'importDocuments');
  checkPlace(options);
  if (isOfShard(options)) {
    const { importShard } = await import('./shards/import-shard.js');
    return await importShard(options, control);
  }
  const { state, stateDir } = options;
  const location = state || stateDir;
  if (!location) return await importHere(undefined, options, control);
  const { openStore } = await import('../runs/open-store.js');
  if (state === undefined) loadSqlite();
  await using store = await openStore(location);
  return await importHere(store, options, control);
}

/** @param store for journal and ledger; `undefined` without a state */
async function importHere(
  store: RunStore | undefined,
  options: ImportOptions,
  control: RunControl,
): Promise<RunEnd> {
  const settings = runSettings(options);
  // Loaded lazily; validations never send.
  const { openService } = await import('./pipeline/open-service.js');
  const { importRecords } = await import('./pipeline/import-records.js');
  const runs = await import('./pipeline/open-run.js');
  const service = openService(options, settings);
  let stored: StoredRun | undefined;
  let threads: ThreadPool | undefined;
  try {
    const earlier = await runs.findEarlierRun(store, options, service.target);
    stored = earlier;
    const finished = earlier && (await runs.finishedReport(earlier, options, control.hub));
    if (finished !== undefined) return runEndOf(finished);
    threads = await startThreads(options, settings);
    const { target } = service;
    const prepared = await prepareRun(options, { settings, control, target, earlier });
    if (store === undefined) prepared.notice(NOTHING_REMEMBERED);
    if (options.resume === true && earlier === undefined) prepared.notice(NOTHING_TO_RESUME);
    const { lockHolder } = control;
    stored = await runs.openRun(store, options, prepared, { earlier, lockHolder });
    const run = { ...prepared, stored };
    control.run = run;
    await importRecords(run, { service, threads });
    return await finishRun(run, options.stateDir);
  } finally {
    await threads?.stop();
    await stored?.release();
    await service.close();
  }
}

const NOTHING_REMEMBERED =
  'Nothing is remembered (stateDir is false): if the same records are imported again, all of them are sent again.';

const NOTHING_TO_RESUME =
  'No earlier run of these inputs left anything to resume, so this is a new one.';

async function validate(given: ValidateOptions, control: RunControl): Promise<RunEnd> {
  const options = await control.begin(given, 'validateDocuments');
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
