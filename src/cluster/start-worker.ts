import { ownVersion } from '../api/version.js';
import { OptionError } from '../model/errors.js';
import { checkOptionTable, type OptionTable } from '../model/options.js';
import { IMPORT_OPTIONS } from '../operations/option-table.js';
import type { ImportOptions } from '../operations/options.js';
import { runSettings } from '../operations/settings.js';
import type { Patience } from './postgres/database/database.js';

/** A process that takes part in the imports of a shared state. */
export interface WorkerOptions
  extends Pick<ImportOptions, 'connection' | 'service' | 'threads' | 'signal' | 'abandonSignal'> {
  /** Address of the Postgres database, `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. */
  readonly state: string;
  /**
   * Where folders of the machine that began an import lie on this one: `{ '/data': '/mnt/data' }`.
   * Default: where they lie there.
   */
  readonly roots?: Readonly<Record<string, string>>;
  /** Work on this run only, and end when it has. */
  readonly untilDone?: string;
  /** Is told what a person should know. */
  readonly onNotice?: (message: string) => void;
}

const { connection, service, threads, signal, abandonSignal, state } = IMPORT_OPTIONS;

const WORKER_OPTIONS: OptionTable<keyof WorkerOptions> = {
  ...{ connection, service, threads, signal, abandonSignal, state },
  roots: { type: 'any' },
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
  const { connection, service, abandonSignal, state, roots = {}, untilDone } = options;
  const { signal = new AbortController().signal, onNotice: notice = () => {} } = options;
  if (typeof state !== 'string') {
    throw new OptionError('startWorker needs a state: the address of a Postgres database.');
  }
  // Who imports alone needs none of it.
  const { PostgresStore } = await import('./postgres/store.js');
  const { ALL_TASKS, work } = await import('./worker.js');
  const patience = waitingUntil(signal, notice);
  const store = await PostgresStore.open(state, patience).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  if (store === undefined) return;
  try {
    const only = untilDone === undefined ? undefined : (await store.find(untilDone)).run;
    const means = {
      store,
      roots: Object.entries(roots).map(([there, here]) => ({ there, here })),
      threads: runSettings(options).threads,
      version: ownVersion(),
      notice,
      connection,
      ...(service === undefined ? {} : { service }),
      ...(abandonSignal === undefined ? {} : { abandonSignal }),
    };
    const settings = { signal, tasks: ALL_TASKS, outlastsRefusals: true };
    await work(means, { ...settings, ...(only === undefined ? {} : { only }) });
  } finally {
    await store.close();
  }
}

/** Tells once what is waited for. */
function waitingUntil(signal: AbortSignal, notice: (message: string) => void): Patience {
  const end = performance.now() + START_MS;
  let isTold = false;
  const goOn = (failure: unknown): boolean => {
    if (signal.aborted || performance.now() > end) return false;
    if (!isTold) notice(`${(failure as Error).message} Waiting for it for up to a minute.`);
    isTold = true;
    return true;
  };
  return { goOn };
}
