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
import type { ShowPage } from '../../delivery/reconciliation/read-window.js';
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

/** What reconciling has told, in documents. */
export interface Resolution {
  readonly accepted: number;
  readonly absent: number;
  readonly undecided: number;
  /** Of those that are there, how many the service shows more than once. */
  readonly twice: number;
}

/**
 * Looks once more for the documents of a run whose outcome is unknown, and sends nothing. What is
 * missing counts as unsent from then on: `resume` sends it.
 * @throws ResumeError, JournalError, OptionError
 */
export async function resolveRun(options: KeptRunOptions): Promise<Resolution> {
  return await withKeptRun(options, 'resolveRun', async (run, { page }) => {
    return await resolveUnknown(run, page, options);
  });
}

async function resolveUnknown(
  run: Run,
  page: ShowPage,
  options: KeptRunOptions,
): Promise<Resolution> {
  const settings = reconciliationSettings(options);
  const { signal = new AbortController().signal } = options;
  const requests: SentDocuments[] = [];
  for await (const request of run.sent(['sending', 'unknown'])) requests.push(request);
  if (requests.length === 0) return resolutionOf([]);
  const before = await run.acknowledged();
  const acknowledged = () => before;
  // Another process's clock is not trusted for how long ago it was: the settle time begins now.
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
  run.settleEarlier(intent, at(accepted), { outcome: 'accepted', message: '' });
  const unknown = reason ?? 'it could not be found out whether it arrived';
  run.settleEarlier(intent, at(undecided), { outcome: 'unknown', message: unknown });
  const since = new Date(unconfirmed(request).endedMs).toISOString();
  const message = `a request of ${since} got no usable answer; reconciliation did not find it, so it was sent again: should that request take effect later still, it is there twice`;
  run.settleEarlier(intent, at(absent), { outcome: 'unsent', message });
}

function resolutionOf(reconciled: readonly Reconciled[]): Resolution {
  const sum = (pick: (one: Reconciled) => readonly number[]): number =>
    reconciled.reduce((total, one) => total + pick(one).length, 0);
  return {
    accepted: sum(({ accepted }) => accepted),
    absent: sum(({ absent }) => absent),
    undecided: sum(({ undecided }) => undecided),
    twice: sum(({ twice }) => twice),
  };
}

export type { Comparison } from '../../delivery/reconciliation/compare-acknowledged.js';

/**
 * Compares everything that the service acknowledged in a run with what it shows now. Changes
 * nothing.
 * @throws ResumeError, JournalError, OptionError
 */
export async function verifyRun(options: KeptRunOptions): Promise<Comparison> {
  return await withKeptRun(options, 'verifyRun', async (run, service) => {
    const { giveUpMs } = reconciliationSettings(options);
    const { onNotice: onWait = () => {} } = options;
    const settings = { giveUpMs, onWait };
    const signal = options.signal ?? new AbortController().signal;
    const port = { page: service.page, clock: systemClock, signal };
    return await compareAcknowledged(acknowledgedIn(run), settings, port);
  });
}

/** All documents that were accepted, with the span in which those of their request were published. */
async function* acknowledgedIn(run: Run) {
  for await (const { documents, published } of run.sent(['accepted'])) {
    for (const { sourceId } of documents) if (sourceId !== null) yield { sourceId, published };
  }
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
