import { systemClock } from '../../delivery/context.js';
import {
  type Comparison,
  compareAcknowledged,
} from '../../delivery/reconciliation/compare-acknowledged.js';
import {
  minSettleMs,
  type Reconciled,
  type UnconfirmedRequest,
} from '../../delivery/reconciliation/decision.js';
import type { FetchPage } from '../../delivery/reconciliation/read-window.js';
import { reconcile } from '../../delivery/reconciliation/reconcile.js';
import { OptionError, ResumeError } from '../../model/errors.js';
import { checkOptionTable, type OptionTable } from '../../model/options.js';
import { withStore } from '../../runs/folder/store.js';
import { Run, type SentDocument, type SentDocuments } from '../../runs/run.js';
import type { RunStore } from '../../runs/store.js';
import { IMPORT_OPTIONS } from '../option-table.js';
import type { ImportOptions } from '../options.js';
import { openService, type Service } from '../pipeline/send-documents.js';
import { reconciliationSettings } from '../settings.js';

export interface Resolution {
  readonly accepted: number;
  readonly absent: number;
  readonly undecided: number;
  /** Accepted documents that the service shows more than once. */
  readonly twice: number;
}

/**
 * Reconciles the documents of a run whose outcome is unknown. Sends nothing: documents that are
 * missing count as unsent from then on, and `resume` sends them.
 * @throws ResumeError, JournalError, OptionError
 */
export async function resolveRun(options: KeptRunOptions): Promise<Resolution> {
  return await withStoredRun(options, 'resolveRun', async (run, { page }) => {
    return await resolveUnknown(run, page, options);
  });
}

async function resolveUnknown(
  run: Run,
  page: FetchPage,
  options: KeptRunOptions,
): Promise<Resolution> {
  const settings = reconciliationSettings(options);
  const { signal = new AbortController().signal } = options;
  const requests: SentDocuments[] = [];
  for await (const request of run.sent(['sending', 'unknown'])) requests.push(request);
  if (requests.length === 0) return resolutionOf([]);
  const before = await run.acknowledged();
  const acknowledged = () => before;
  // The settle time begins now, because the clock of the process that sent them isn't trusted.
  await systemClock.sleep(minSettleMs(settings), signal);
  const port = { page, clock: systemClock, signal, acknowledged };
  const reconciled = await reconcile(requests.map(unconfirmed), settings, port);
  for (const [index, one] of reconciled.entries()) {
    settle(run, requests[index] as SentDocuments, one);
  }
  await run.flush();
  return resolutionOf(reconciled);
}

function unconfirmed({ documents, published }: SentDocuments): UnconfirmedRequest {
  const ids = documents.map(({ sourceId }) => sourceId);
  return { ids, published, endedMs: Math.max(...documents.map(({ atMs }) => atMs)) };
}

function settle(run: Run, request: SentDocuments, reconciled: Reconciled): void {
  const { intent, documents } = request;
  const { accepted, absent, undecided, reason } = reconciled;
  const at = (indexes: readonly number[]): readonly SentDocument[] =>
    indexes.map((index) => documents[index] as SentDocument);
  run.settleSent(intent, at(accepted), { outcome: 'accepted', message: '' });
  const unknown = reason ?? 'reconciliation could not tell whether it arrived';
  run.settleSent(intent, at(undecided), { outcome: 'unknown', message: unknown });
  const since = new Date(unconfirmed(request).endedMs).toISOString();
  const message = `the request of ${since} got no usable answer and reconciliation did not find the document, so it was sent again; if that request takes effect later, the service has the document twice`;
  run.settleSent(intent, at(absent), { outcome: 'unsent', message });
}

function resolutionOf(reconciled: readonly Reconciled[]): Resolution {
  const sum = (pick: (one: Reconciled) => readonly number[]): number =>
    reconciled.reduce((total, one) => total + pick(one).length, 0);
  return {
    accepted: sum(({ accepted }) => accepted),
    absent: sum(({ absent }) => absent),
    undecided: sum(({ undecided }) => undecided),
    twice: sum(({ shownTwice }) => shownTwice),
  };
}

export type { Comparison } from '../../delivery/reconciliation/compare-acknowledged.js';

/**
 * Compares all documents that the service acknowledged in a run with those it shows now. Read-only.
 * @throws ResumeError, JournalError, OptionError
 */
export async function verifyRun(options: KeptRunOptions): Promise<Comparison> {
  return await withStoredRun(options, 'verifyRun', async (run, service) => {
    const { giveUpMs } = reconciliationSettings(options);
    const { onNotice: onWait = () => {} } = options;
    const settings = { giveUpMs, onWait };
    const signal = options.signal ?? new AbortController().signal;
    const port = { page: service.page, clock: systemClock, signal };
    return await compareAcknowledged(acknowledgedIn(run), settings, port);
  });
}

/** Yields accepted documents, each with the range of publication dates in its request. */
async function* acknowledgedIn(run: Run) {
  for await (const { documents, published } of run.sent(['accepted'])) {
    for (const { sourceId } of documents) yield { sourceId, published };
  }
}

/** A stored run, and the connection to its service. */
export interface KeptRunOptions
  extends Pick<ImportOptions, 'connection' | 'service' | 'quietMs' | 'lookForMs' | 'signal'> {
  /** State folder of the run; give this or `state`. */
  readonly stateDir?: string;
  /** Address of the shared state that has the run. */
  readonly state?: string;
  readonly run: string;
  /** Called with the reason for a wait. */
  readonly onNotice?: (message: string) => void;
}

const { connection, service, quietMs, lookForMs, signal, stateDir, state } = IMPORT_OPTIONS;

const STORED_RUN_OPTIONS: OptionTable<keyof KeptRunOptions> = {
  ...{ connection, service, quietMs, lookForMs, signal, stateDir, state },
  run: { type: 'text' },
  onNotice: { type: 'any' },
};

/**
 * Claims a stored run, opens its service, and releases both afterwards.
 * @param caller name of the public function, for messages
 * @throws ResumeError if the run doesn't exist, another process has it, or it was imported into
 *   another service; JournalError, OptionError
 */
async function withStoredRun<T>(
  options: KeptRunOptions,
  caller: string,
  use: (run: Run, service: Service) => Promise<T>,
): Promise<T> {
  checkOptionTable(options, STORED_RUN_OPTIONS, caller);
  const { state = options.stateDir } = options;
  if (state === undefined) {
    throw new OptionError(`${caller} needs the state that has the run: give stateDir, or state.`);
  }
  return await withStore(state, (store) => withClaimedRun(store, options, use));
}

async function withClaimedRun<T>(
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
      `The run ${run.id} went to ${target.service}, not to ${name}. Connect to that service.`,
    );
  } finally {
    await run.release();
  }
}
