/**
 * The pipeline from where documents are ready to be sent: what was sent before apart → batches →
 * delivery. It is loaded when it is needed.
 */
import { cutBatches } from '../../delivery/batching/batches.js';
import { Delivery, type DeliverySettings } from '../../delivery/deliver.js';
import { backoffMs } from '../../delivery/pacing/backoff.js';
import { systemClock } from '../../delivery/pacing/clock.js';
import { LocalPacing } from '../../delivery/pacing/local-pacing.js';
import type { Pacing } from '../../delivery/pacing/pacing.js';
import type { DeliveryPort } from '../../delivery/port.js';
import type { SendingMeans } from '../../delivery/send-batches.js';
import { batchOf, type DocumentRange } from '../../model/documents.js';
import { JournalError } from '../../model/errors.js';
import type { Run } from '../../runs/run.js';
import type { SendingOptions } from '../check-options.js';
import type { Service } from '../open-service.js';
import { OtherRuns } from './other-runs.js';
import type { PreparedRun } from './prepare-run.js';
import { skipSettled } from './skip-sent.js';

export { openService } from '../open-service.js';
export { finishedReport, keepRun, takeEarlierRun, tellOthers } from './keep-run.js';
export { finishRun } from './write-report.js';

/** A run that is about to send. */
interface SendingRun {
  readonly run: PreparedRun;
  /** `undefined`: nothing of it outlives this process. */
  readonly kept: Run | undefined;
  readonly service: Service;
  readonly settings: SendingOptions;
  /** By default of its own. */
  readonly pacing?: Pacing;
  /** As in {@link SendingMeans}. */
  readonly ahead?: number;
}

/**
 * Sends documents until all are settled, as far as that can be, or the run is stopped.
 * @param documents those of one chunk together
 */
export async function sendDocuments(
  documents: AsyncIterable<readonly DocumentRange[]>,
  sending: SendingRun,
): Promise<void> {
  const { run, kept, settings } = sending;
  const { recorder, stops } = run;
  const refused = await accessOf(sending);
  if (refused !== undefined) stops.stop(refused);

  const { duplicates } = run.findings;
  const others = new OtherRuns(kept, { recorder, duplicates });
  const port = deliveryPort(sending, others);
  const pacing = sending.pacing ?? new LocalPacing(settings.delivery, systemClock.random);
  const means: SendingMeans = {
    pacing,
    throttleStatuses: settings.delivery.throttleStatuses,
    clock: systemClock,
    ...(sending.ahead === undefined ? {} : { ahead: sending.ahead }),
  };
  const delivery = new Delivery(deliverySettings(sending), port, means);
  if (kept !== undefined && !kept.isNew) delivery.recall(await kept.acknowledged());
  const unsent = notSentBefore(documents, { ...sending, others, port, delivery });
  const batches = cutBatches(unsent, settings.batches);
  let figures = await delivery.deliver(batches);
  const left = await others.left();
  if (left.length > 0) {
    figures = await delivery.deliver(cutBatches(inTurn(left), settings.batches));
  }
  recorder.batches = figures.requests;
  recorder.retries = figures.retries;
}

/** Whether documents can be sent, once the service is there: it is waited for as long as it may be down. */
async function accessOf({
  run: { signal, stops, notice },
  service,
  settings: { maxOutageAtStartMs },
}: SendingRun): ReturnType<Service['access']> {
  const untilMs = systemClock.now() + maxOutageAtStartMs;
  for (let attempt = 1; ; attempt += 1) {
    const refused = await service.access(signal);
    if (refused?.kind !== 'service-down' || stops.stopsReading) return refused;
    const waitMs = Math.min(backoffMs(attempt, systemClock.random()), untilMs - systemClock.now());
    if (waitMs <= 0) return refused;
    if (attempt === 1) notice(`${refused.message} Waiting for it.`);
    await systemClock.sleep(waitMs, signal);
  }
}

/** What refusals mean is said by the caller, or was found out by an earlier process. */
function deliverySettings({ run, kept, settings }: SendingRun): DeliverySettings {
  const { onUnknown, reconciliation, refusals } = settings;
  const found = refusals === 'check' ? kept?.refusals : undefined;
  run.recorder.refusals = found ?? null;
  const known = refusals === 'check' ? found : refusals;
  return { onUnknown, reconciliation, refusals: known };
}

/** Delivery's way to the run: every request is in the journal before it is made. */
function deliveryPort(
  { run, kept, service, settings }: SendingRun,
  others: OtherRuns,
): DeliveryPort {
  const { recorder, stops, signal, notice } = run;
  const log = run.findings.delivery;
  return {
    intend: async (batch) => {
      if (kept === undefined) return batch;
      const intended = await kept.intend(batch).catch(halt);
      for (const [range, known] of intended?.known ?? []) others.settle(range, known);
      return intended?.batch;
    },
    send: (batch, resends) => log.request(() => service.send(batch, resends)),
    access: service.access,
    page: service.page,
    settle: (batch, known) => kept?.settle(batch, known),
    isPartOf: (part, whole) => kept?.isPartOf(part, whole),
    outcome: (batch, outcome, message) => {
      if (outcome === 'accepted') log.accepted(batch.count);
      recorder.settled(batch, outcome, message);
    },
    sentAgain: ({ ranges }, why) => {
      for (const range of ranges) recorder.sentAgain(range, why);
    },
    shownTwice: (batch) => recorder.shownTwice(batch),
    learned: (meaning) => {
      if (settings.refusals !== 'check') return;
      recorder.refusals = meaning;
      kept?.rememberRefusals(meaning).catch(halt);
      notice(WHAT_REFUSALS_MEAN[meaning]);
    },
    progress: run.tellProgress,
    notice,
    stop: (reason) => stops.stop(reason),
    stopped: () => stops.stopsSending,
    signal,
  };

  /** A journal that can't be written ends the run. */
  function halt(error: unknown): undefined {
    if (!(error instanceof JournalError)) throw error;
    stops.stop({ kind: 'output', message: error.message, cause: error });
  }
}

const WHAT_REFUSALS_MEAN = {
  atomic:
    'The service takes nothing of a batch that it refuses. Say --refusals atomic, and a run need not find that out.',
  partial:
    'The service takes documents of batches that it refuses, so each such batch is reconciled before the rest of it is sent again.',
} as const;

interface BesideOthers extends SendingRun {
  readonly others: OtherRuns;
  readonly port: DeliveryPort;
  readonly delivery: Delivery;
}

/** Leaves out what this run or an earlier one has sent. */
function notSentBefore(
  documents: AsyncIterable<readonly DocumentRange[]>,
  beside: BesideOthers,
): AsyncIterable<DocumentRange> {
  const { run, kept, settings, others, delivery } = beside;
  if (kept === undefined) return oneByOne(documents);
  const { recorder, stops } = run;
  const { retryRejected } = settings;
  const open = kept.isNew
    ? oneByOne(documents)
    : skipSettled(documents, { kept, recorder, stops, delivery, retryRejected });
  return others.skipKnown(open, (range) => reconcileAsOwn(range, beside));
}

/**
 * Reconciles documents that a run sent which no process has any more, as if this run had sent them:
 * also in its journal, so that they are its own among all who send just now.
 */
async function* reconcileAsOwn(
  range: DocumentRange,
  { port, delivery }: Pick<BesideOthers, 'port' | 'delivery'>,
): AsyncGenerator<DocumentRange, void, undefined> {
  if (port.stopped()) return;
  const intended = await port.intend(batchOf([range]));
  if (intended === undefined) return;
  if (intended.count > 0)
    delivery.unconfirmed(intended, 'an earlier run sent it without an answer');
  for (const { ranges } of await delivery.makeRoom()) yield* ranges;
}

async function* inTurn<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

async function* oneByOne(
  documents: AsyncIterable<readonly DocumentRange[]>,
): AsyncGenerator<DocumentRange> {
  for await (const ranges of documents) yield* ranges;
}
