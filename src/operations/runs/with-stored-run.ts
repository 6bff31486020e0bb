import { systemClock } from '../../delivery/clock.js';
import { pacedReads } from '../../delivery/pacing/paced-service.js';
import { Pacing } from '../../delivery/pacing/pacing.js';
import { OptionError, ResumeError } from '../../model/errors.js';
import { checkOptionTable, type OptionTable } from '../../model/options.js';
import type { RunDescription } from '../../runs/description.js';
import { openStore } from '../../runs/open-store.js';
import type { RunStore } from '../../runs/store.js';
import { StoredRun } from '../../runs/stored-run.js';
import { IMPORT_OPTIONS } from '../option-table.js';
import type { ImportOptions } from '../options.js';
import { openService, type Service } from '../pipeline/open-service.js';
import { checkOnePlace, reconciliationSettings } from '../settings.js';

export interface RunLocation {
  /** State folder; give this or `state`. */
  readonly stateDir?: string;
  /** Address of a shared state. */
  readonly state?: string;
}

/** @throws OptionError if neither is given */
export function givenState(location: RunLocation, caller: string): string {
  checkOnePlace(location);
  const { stateDir, state = stateDir } = location;
  if (typeof state === 'string') return state;
  throw new OptionError(`${caller} needs the state that holds the runs: give stateDir or state.`);
}

/** A stored run, and the connection to its service. */
export interface StoredRunOptions
  extends RunLocation,
    Pick<ImportOptions, 'connection' | 'service' | 'quietMs' | 'lookForMs' | 'signal'> {
  readonly run: string;
  /** Called with the reason for a wait. */
  readonly onNotice?: (message: string) => void;
}

const { connection, service, quietMs, lookForMs, signal, stateDir, state } = IMPORT_OPTIONS;

const STORED_RUN_OPTIONS: OptionTable<keyof StoredRunOptions> = {
  connection,
  service,
  quietMs,
  lookForMs,
  signal,
  stateDir,
  state,
  run: { type: 'text' },
  onNotice: { type: 'any' },
};

/**
 * Claims a stored run, opens its service, and releases both afterwards.
 * @param caller name of the public function, for messages
 * @throws ResumeError if the run doesn't exist, another process has it, or it was imported into
 *   another service; AccessError, JournalError, OptionError
 */
export async function withStoredRun<T>(
  options: StoredRunOptions,
  caller: string,
  use: (run: StoredRun, service: Service, store: RunStore) => Promise<T>,
): Promise<T> {
  checkOptionTable(options, STORED_RUN_OPTIONS, caller);
  await using store = await openStore(givenState(options, caller));
  const run = await StoredRun.of(store, await store.take(options.run));
  const { id, description } = run;
  const { service: before, monitoring } = description.target;
  try {
    const service = openService({ ...options, monitoring }, { connections: 2 });
    try {
      const name = options.service ?? service.target.baseUrl;
      if (name !== before) {
        throw new ResumeError(
          `The run ${id} was sent to ${before}, not to ${name}. Connect to ${before}.`,
        );
      }
      await assertAccess(service, options);
      return await use(run, { ...service, ...pacedAs(description, service, options) }, store);
    } finally {
      await service.close();
    }
  } finally {
    await run.release();
  }
}

/** Reads as fast as the run was allowed to send. */
function pacedAs({ options }: RunDescription, service: Service, given: StoredRunOptions) {
  const rate = typeof options['rate'] === 'number' ? options['rate'] : undefined;
  const { giveUpMs } = reconciliationSettings(given);
  const pacing = new Pacing({ concurrency: 1, rate, maxOutageMs: giveUpMs }, systemClock.random);
  return pacedReads(service, pacing, systemClock);
}

/** Without access, every document would seem missing. @throws AccessError */
async function assertAccess(
  service: Service,
  { signal = new AbortController().signal }: StoredRunOptions,
): Promise<void> {
  const refused = await service.access(signal);
  if (refused?.kind === 'no-access') throw refused.cause;
}
