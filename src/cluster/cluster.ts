/**
 * Public entry points for imports over a shared Postgres state. Their implementation is loaded on
 * the first call.
 */
import { OptionError, ResumeError } from '../model/errors.js';
import { checkOptionTable, type OptionTable } from '../model/options.js';
import { IMPORT_OPTIONS } from '../operations/option-table.js';
import type { ImportOptions } from '../operations/options.js';
import { RunControl } from '../operations/pipeline/import-run.js';
import { checkOnePlace, runSettings } from '../operations/settings.js';
import type { RetryPolicy } from './postgres/database/database.js';
import type { PostgresStore } from './postgres/store.js';

/**
 * Starts an import for the workers of a shared state and returns without waiting for it.
 * @returns the run's id
 * @throws OptionError; MappingError; SourceError for an input that can't be opened; DriftError;
 *   ResumeError; JournalError if the state can't be used; InterruptedError
 */
export async function beginImport(options: ImportOptions): Promise<string> {
  const control = new RunControl();
  try {
    await control.begin(options, 'beginImport');
    const { state, eventsFile } = options;
    checkOnePlace(options);
    if (state === undefined) {
      throw new OptionError(
        'Only an import with a shared state continues without the process that began it. Name the state (--state, DOCFERRY_STATE).',
      );
    }
    if (eventsFile !== undefined) {
      throw new OptionError(
        'An import left to workers emits no events here. Leave out the file (--events), and follow the run with `docferry runs show RUN --follow`.',
      );
    }
    const { beginOnCluster } = await import('./import-on-cluster.js');
    return await beginOnCluster({ ...options, state }, control);
  } finally {
    control.end();
  }
}

/** Options of {@link startWorker}. */
export interface WorkerOptions
  extends Pick<ImportOptions, 'connection' | 'service' | 'threads' | 'signal' | 'abandonSignal'> {
  /** Address of the Postgres database, `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. */
  readonly state: string;
  /** Id of the only run to work on; the worker returns when that run has ended. */
  readonly untilDone?: string;
  /** Receives messages for the operator. */
  readonly onNotice?: (message: string) => void;
}

const { connection, service, threads, signal, abandonSignal, state } = IMPORT_OPTIONS;

const WORKER_OPTIONS: OptionTable<keyof WorkerOptions> = {
  ...{ connection, service, threads, signal, abandonSignal, state },
  untilDone: { type: 'text' },
  onNotice: { type: 'any' },
};

const STARTUP_TIMEOUT_MS = 60_000;

/**
 * Works on the imports of a shared state until the signal is aborted or the run `untilDone` has
 * ended. On abort, waits for requests in flight and returns unfinished shards for other workers.
 * If the database goes away or refuses this process later on, keeps trying. At startup, waits up to
 * a minute for a database that isn't available yet.
 * @throws OptionError, JournalError if the state can't be used; ResumeError if there is no such run
 */
export async function startWorker(options: WorkerOptions): Promise<void> {
  checkOptionTable(options, WORKER_OPTIONS, 'startWorker');
  const { state, untilDone, onNotice: notice = () => {}, ...given } = options;
  const { signal = new AbortController().signal } = options;
  if (typeof state !== 'string') {
    throw new OptionError('startWorker needs a state: the address of a Postgres database.');
  }
  const { PostgresStore } = await import('./postgres/store.js');
  const { work } = await import('./worker.js');
  const retry = retryAtStartup(signal, notice);
  const store = await PostgresStore.open(state, retry).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  if (store === undefined) return;
  try {
    const only = untilDone === undefined ? undefined : (await store.find(untilDone)).run;
    const deps = { ...given, store, notice, threads: runSettings(options).threads };
    await work(deps, { signal, takesShards: true, retriesRefusals: true, only });
  } finally {
    await store.close();
  }
}

/** Retries until the startup timeout, and prints the reason once. */
function retryAtStartup(signal: AbortSignal, notice: (message: string) => void): RetryPolicy {
  const end = performance.now() + STARTUP_TIMEOUT_MS;
  let isPrinted = false;
  return (failure) => {
    if (signal.aborted || performance.now() > end) return false;
    if (!isPrinted) notice(`${(failure as Error).message} Waiting for it for up to a minute.`);
    isPrinted = true;
    return true;
  };
}

/**
 * Stops a run on all workers and waits until it has ended, at most until a killed worker's lease
 * expires. Waits for requests in flight; the run can be resumed.
 * @returns whether it was running
 * @throws OptionError; JournalError if the state can't be used; ResumeError if there is no such run, or
 *   a single process without workers holds it
 */
export async function cancelRun(state: string, run: string): Promise<boolean> {
  const { endStopped } = await import('./finish-run.js');
  return await withStore(state, async (store) => {
    if (!(await store.isRunning(run))) return false;
    const found = await store.find(run);
    if (found.state === 'held') {
      throw new ResumeError(
        `The run ${run} belongs to a single process, which no other can stop. Stop it there with Ctrl-C.`,
      );
    }
    await store.stopRun(found, { kind: 'interrupted', message: 'the run was cancelled' });
    await endStopped(store, found);
    return true;
  });
}

async function withStore<T>(state: string, use: (store: PostgresStore) => Promise<T>): Promise<T> {
  const { PostgresStore } = await import('./postgres/store.js');
  return await PostgresStore.use(state, use);
}
