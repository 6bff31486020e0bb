import { systemClock } from '../../delivery/clock.js';
import { reconcile } from '../../delivery/reconciliation/reconcile.js';
import {
  minSettleMs,
  type Reconciled,
  type UnconfirmedRequest,
} from '../../delivery/reconciliation/request-case.js';
import { ResumeError } from '../../model/errors.js';
import { type RunStore, shardOf } from '../../runs/store.js';
import type { SentDocument, SentDocuments, StoredRun } from '../../runs/stored-run.js';
import { reconciliationSettings } from '../settings.js';
import { type StoredRunOptions, withStoredRun } from './with-stored-run.js';

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
 * @throws ResumeError, AccessError, JournalError, OptionError
 */
export async function resolveRun(options: StoredRunOptions): Promise<Resolution> {
  return await withStoredRun(options, 'resolveRun', async (run, { page }, store) => {
    await lockAlone(store, run);
    await run.markTakenOverAsUnsent();
    const settings = reconciliationSettings(options);
    const { signal = new AbortController().signal } = options;
    const requests: SentDocuments[] = [];
    for await (const request of run.sent(['sending', 'unknown'])) requests.push(request);
    if (requests.length === 0) return resolutionOf([]);
    const acknowledged = await run.acknowledged();
    // The settle time begins now, because the clock of the process that sent them isn't trusted.
    await systemClock.sleep(minSettleMs(settings), signal);
    const port = { page, clock: systemClock, signal, acknowledged: () => acknowledged };
    const reconciled = await reconcile(requests.map(unconfirmed), settings, port);
    for (const [index, one] of reconciled.entries()) {
      settleRequest(run, requests[index] as SentDocuments, one);
    }
    await run.flush();
    // The figures of a shard, which are merged, would be those from before.
    if (shardOf(run.id) !== undefined) await run.withdrawReport();
    return resolutionOf(reconciled);
  });
}

/**
 * Keeps imports into the monitoring from taking over the same documents meanwhile.
 * @throws ResumeError if one is running
 */
async function lockAlone(store: RunStore, run: StoredRun): Promise<void> {
  const lock = await store.tryLockTarget({ run: run.id, target: run.description.target });
  if (typeof lock !== 'string') return run.holdWith(lock);
  throw new ResumeError(
    `${lock}, and may resolve the documents of ${run.id}. Resolve the rest when it has ended.`,
  );
}

function unconfirmed({ documents, published }: SentDocuments): UnconfirmedRequest {
  const ids = documents.map(({ sourceId }) => sourceId);
  return { ids, published, endedMs: Math.max(...documents.map(({ atMs }) => atMs)) };
}

function settleRequest(run: StoredRun, request: SentDocuments, reconciled: Reconciled): void {
  const { intent, documents } = request;
  const { accepted, absent, undecided, reason } = reconciled;
  const at = (indexes: readonly number[]): readonly SentDocument[] =>
    indexes.map((index) => documents[index] as SentDocument);
  run.settlePart(intent, at(accepted), { outcome: 'accepted', message: '' });
  const unknown = reason ?? 'reconciliation could not determine whether it arrived';
  run.settlePart(intent, at(undecided), { outcome: 'unknown', message: unknown });
  const since = new Date(unconfirmed(request).endedMs).toISOString();
  const message = `the request of ${since} got no usable answer and reconciliation did not find the document, so it was sent again; if that request takes effect later, the service has the document twice`;
  run.settlePart(intent, at(absent), { outcome: 'unsent', message });
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
