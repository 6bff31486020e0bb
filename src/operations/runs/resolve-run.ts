import { systemClock } from '../../delivery/context.js';
import {
  minSettleMs,
  type Reconciled,
  type UnconfirmedRequest,
} from '../../delivery/reconciliation/decision.js';
import type { ShowPage } from '../../delivery/reconciliation/read-window.js';
import { reconcile } from '../../delivery/reconciliation/reconcile.js';
import type { Run, SentDocument, SentDocuments } from '../../runs/run.js';
import { type KeptRunOptions, withKeptRun } from '../open-service.js';
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
