import { setMaxListeners } from 'node:events';
import { postDocuments } from '../api/import-documents.js';
import { openTransport } from '../api/transport/http-transport.js';
import { checkAccess } from '../delivery/classify-response.js';
import type { DeliveryService } from '../delivery/context.js';
import { servicePages } from '../delivery/reconciliation/read-window.js';
import { rangeBytes } from '../model/documents.js';
import { OptionError, ResumeError } from '../model/errors.js';
import { checkOption, checkOptionTable, type OptionTable } from '../model/options.js';
import { withStore } from '../runs/folder/store.js';
import { Run } from '../runs/run.js';
import type { RunStore } from '../runs/store.js';
import { IMPORT_OPTIONS } from './option-table.js';
import type { ImportOptions } from './options.js';
import type { PreparedRun } from './pipeline/prepare-run.js';
import type { RunSettings } from './settings.js';

/** One monitoring of the service, as a run needs it. */
export interface Service extends DeliveryService {
  readonly target: NonNullable<PreparedRun['target']>;
  /** Waits for calls in flight. */
  close(): Promise<void>;
}

/**
 * Opens the way to one monitoring; nothing is sent yet.
 * @throws OptionError if the connection or the id can't be used
 */
export function openService(
  options: Pick<ImportOptions, 'connection' | 'monitoring' | 'signal' | 'abandonSignal'>,
  { connections }: Pick<RunSettings, 'connections'>,
): Service {
  const { monitoring } = options;
  checkOption('monitoring', monitoring, IMPORT_OPTIONS.monitoring);
  const transport = openTransport(options.connection, connections);
  // Each request in flight listens to it, and there may be many.
  if (options.abandonSignal !== undefined) setMaxListeners(0, options.abandonSignal);
  return {
    target: { baseUrl: transport.baseUrl, monitoring },
    access: (signal) => checkAccess(transport, monitoring, signal),
    send: ({ ranges }) =>
      postDocuments(transport, monitoring, ranges.map(rangeBytes), options.abandonSignal),
    page: servicePages(transport, monitoring),
    close: () => transport.close(),
  };
}

/** A run that is kept, and the way to its service. */
export interface KeptRunOptions
  extends Pick<ImportOptions, 'connection' | 'service' | 'quietMs' | 'lookForMs' | 'signal'> {
  /** Where the run is kept: the folder, or instead the address of a shared state. */
  readonly stateDir?: string;
  readonly state?: string;
  /** The run's id. */
  readonly run: string;
  /** Told why it takes a while. */
  readonly onNotice?: (message: string) => void;
}

const { connection, service, quietMs, lookForMs, signal, stateDir, state } = IMPORT_OPTIONS;

const KEPT_RUN_OPTIONS: OptionTable<keyof KeptRunOptions> = {
  ...{ connection, service, quietMs, lookForMs, signal, stateDir, state },
  run: { type: 'text' },
  onNotice: { type: 'any' },
};

/**
 * Takes a run and opens the way to where its documents went, to look at what became of them.
 * @param by the function whose options they are
 * @throws ResumeError if it isn't there, a process has it, or it went elsewhere; JournalError, OptionError
 */
export async function withKeptRun<T>(
  options: KeptRunOptions,
  by: string,
  use: (run: Run, service: Service) => Promise<T>,
): Promise<T> {
  checkOptionTable(options, KEPT_RUN_OPTIONS, by);
  const { state = options.stateDir } = options;
  if (state === undefined) {
    throw new OptionError(`${by} needs to know where the run is kept: give stateDir, or state.`);
  }
  return await withStore(state, (store) => withTaken(store, options, use));
}

async function withTaken<T>(
  store: RunStore,
  options: KeptRunOptions,
  use: (run: Run, service: Service) => Promise<T>,
): Promise<T> {
  const run = await Run.take(store, options.run);
  try {
    const { target } = run.description;
    const { monitoring } = target;
    const service = openService({ ...options, monitoring }, { connections: 2 });
    const name = options.service ?? service.target.baseUrl;
    try {
      if (name === target.service) return await use(run, service);
    } finally {
      await service.close();
    }
    throw new ResumeError(
      `The run ${run.id} went to ${target.service}, and not to ${name}: name that service.`,
    );
  } finally {
    await run.release();
  }
}
