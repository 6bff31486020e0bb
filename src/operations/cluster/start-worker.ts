import { OptionError } from '../../model/errors.js';
import { checkNames, type Names } from '../../model/names.js';
import { threadsOption } from '../check-options.js';
import type { ImportOptions } from '../options.js';
import { ownVersion } from './version.js';

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

const NAMES: Names<WorkerOptions> = {
  connection: true,
  service: true,
  threads: true,
  signal: true,
  abandonSignal: true,
  state: true,
  roots: true,
  untilDone: true,
  onNotice: true,
};

/**
 * Works on the imports of a shared state, until the signal is aborted (what is in flight is waited
 * for, and what is begun is given back for others) or the run that was named has ended.
 * @throws OptionError, JournalError if the state can't be used; ResumeError if there is no such run
 */
export async function startWorker(options: WorkerOptions): Promise<void> {
  checkNames(options, NAMES, 'startWorker');
  const { connection, service, abandonSignal, state, roots = {}, untilDone } = options;
  if (typeof state !== 'string') {
    throw new OptionError('startWorker needs a state: the address of a Postgres database.');
  }
  // Who imports alone needs none of it.
  const { PostgresStore } = await import('../../runs/postgres/store.js');
  const { work } = await import('./worker.js');
  const store = await PostgresStore.open(state);
  try {
    const only = untilDone === undefined ? undefined : (await store.find(untilDone)).run;
    const means = {
      store,
      roots: Object.entries(roots).map(([there, here]) => ({ there, here })),
      threads: threadsOption(options as ImportOptions),
      version: ownVersion(),
      notice: options.onNotice ?? (() => {}),
      connection,
      ...(service === undefined ? {} : { service }),
      ...(abandonSignal === undefined ? {} : { abandonSignal }),
    };
    const signal = options.signal ?? new AbortController().signal;
    await work(means, { signal, ...(only === undefined ? {} : { only }) });
  } finally {
    await store.close();
  }
}
