/** What can be asked of a state that several processes share. What that takes is loaded only then. */
import { OptionError, ResumeError } from '../model/errors.js';
import { checkOptionTable, type OptionTable } from '../model/options.js';
import { IMPORT_OPTIONS } from '../operations/option-table.js';
import type { ImportOptions } from '../operations/options.js';
import { RunControl } from '../operations/pipeline/import-run.js';
import { checkOnePlace, runSettings } from '../operations/settings.js';
import type { Patience } from './postgres/database/database.js';
import type { PostgresStore, RunProgress } from './postgres/store.js';

export type { RunProgress } from './postgres/store.js';

/**
 * Begins an import that the workers of a shared state process, and doesn't wait for its end.
 * @returns the run's id
 * @throws DocferryError if it can't begin
 */
export async function beginImport(options: ImportOptions): Promise<string> {
  const control = new RunControl();
  await control.begin(options, 'beginImport');
  const { state } = options;
  checkOnePlace(options);
  if (state === undefined) {
    throw new OptionError(
      'Only an import with a shared state goes on without the process that began it: name the state (--state, DOCFERRY_STATE).',
    );
  }
  if (options.eventsFile !== undefined) {
    throw new OptionError(
      'An import that is left to workers has no events here: leave out the file (--events), and follow the run with `docferry runs show RUN --follow`.',
    );
  }
  const { beginOnCluster } = await import('./import-on-cluster.js');
  try {
    return await beginOnCluster({ ...options, state }, control);
  } finally {
    control.end();
  }
}

/** A process that takes part in the imports of a shared state. */
export interface WorkerOptions
  extends Pick<ImportOptions, 'connection' | 'service' | 'threads' | 'signal' | 'abandonSignal'> {
  /** Address of the Postgres database, `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. */
  readonly state: string;
  /** Work on this run only, and end when it has. */
  readonly untilDone?: string;
  /** Is told what a person should know. */
  readonly onNotice?: (message: string) => void;
}

const { connection, service, threads, signal, abandonSignal, state } = IMPORT_OPTIONS;

const WORKER_OPTIONS: OptionTable<keyof WorkerOptions> = {
  ...{ connection, service, threads, signal, abandonSignal, state },
  untilDone: { type: 'text' },
  onNotice: { type: 'any' },
};

/** How long to wait for a state that isn't there yet, in milliseconds. */
const START_MS = 60_000;

/**
 * Works on the imports of a shared state, until the signal is aborted (what is in flight is waited
 * for, and what is begun is given back for others) or the run that was named has ended. A state that
 * goes away, or refuses this process later, is waited for, and for a minute also one that isn't there
 * yet.
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
  const { ALL_TASKS, work } = await import('./worker.js');
  const patience = waitingUntil(signal, notice);
  const store = await PostgresStore.open(state, patience).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  if (store === undefined) return;
  try {
    const only = untilDone === undefined ? undefined : (await store.find(untilDone)).run;
    const means = { ...given, store, notice, threads: runSettings(options).threads };
    await work(means, { signal, tasks: ALL_TASKS, outlastsRefusals: true, only });
  } finally {
    await store.close();
  }
}

/** Tells once what is waited for. */
function waitingUntil(signal: AbortSignal, notice: (message: string) => void): Patience {
  const end = performance.now() + START_MS;
  let isTold = false;
  return (failure) => {
    if (signal.aborted || performance.now() > end) return false;
    if (!isTold) notice(`${(failure as Error).message} Waiting for it for up to a minute.`);
    isTold = true;
    return true;
  };
}

/**
 * Stops a run for all who work on it, and waits until it has ended, for as long as a killed worker's
 * lease lasts. What is in flight is waited for, and the run can be resumed.
 * @returns whether it was running
 * @throws ResumeError if there is none of this name, or one process has it to itself
 */
export async function cancelRun(state: string, run: string): Promise<boolean> {
  const { endStopped } = await import('./finish-run.js');
  return await lend(state, async (store) => {
    const found = await store.find(run);
    if (found.state === 'ended') return false;
    if (found.state === 'held') {
      throw new ResumeError(
        `One process has the run ${run} to itself, so that no other one can stop it: end it there, with Ctrl-C.`,
      );
    }
    await store.stopRun(found, { kind: 'interrupted', message: 'the run was cancelled' });
    await endStopped(store, found);
    return true;
  });
}

/** How far a run of workers is; `undefined`: it has ended, or one process has it to itself. */
export async function progressOfRun(state: string, run: string): Promise<RunProgress | undefined> {
  return await lend(state, async (store) => {
    const found = await store.find(run);
    const isOfWorkers = found.state === 'active' || found.state === 'finishing';
    return isOfWorkers ? await store.progress(found.run) : undefined;
  });
}

async function lend<T>(state: string, use: (store: PostgresStore) => Promise<T>): Promise<T> {
  const { PostgresStore } = await import('./postgres/store.js');
  return await PostgresStore.lend(state, use);
}
