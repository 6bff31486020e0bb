/**
 * The corridor from where documents are ready to be sent: what was sent before apart → batches →
 * delivery → what is in doubt. It is loaded when it is needed.
 */
import { cutBatches } from '../../delivery/batching/batches.js';
import { Acknowledgements } from '../../delivery/doubts/acknowledgements.js';
import { Doubts } from '../../delivery/doubts/doubts.js';
import { lookForDocuments, lookOnce } from '../../delivery/doubts/look-for.js';
import { Refusals } from '../../delivery/doubts/refusals.js';
import { systemClock } from '../../delivery/pacing/clock.js';
import { LocalPacing } from '../../delivery/pacing/local-pacing.js';
import { sendBatches } from '../../delivery/send-batches.js';
import type { Batch, DocumentRange } from '../../model/documents.js';
import { checkFirst, type FirstCheck } from '../../runs/check-first.js';
import type { ProcessBefore, Run } from '../../runs/run.js';
import type { Service } from '../open-service.js';
import type { SendingOptions } from '../options.js';
import { deliveryPort, stopOnJournalError } from './delivery-port.js';
import type { PreparedRun } from './prepare-run.js';
import { sendAll } from './send-all.js';
import { skipKnown, skipSettled } from './skip-sent.js';

export { openService } from '../open-service.js';
export { finishedReport, keepRun, takeEarlierRun } from './keep-run.js';
export { finishRun } from './write-report.js';

/** A run that is about to send. */
interface SendingRun {
  readonly run: PreparedRun;
  /** `undefined`: nothing of it outlives this process. */
  readonly kept: Run | undefined;
  readonly service: Service;
  readonly settings: SendingOptions;
}

/**
 * Sends documents until all are settled, as far as that can be, or the run is stopped.
 * @param documents those of one chunk together
 */
export async function sendDocuments(
  documents: AsyncIterable<readonly DocumentRange[]>,
  sending: SendingRun,
): Promise<void> {
  const { run, kept, service, settings } = sending;
  const { recorder, stops, signal } = run;
  const refused = await service.access(signal);
  if (refused !== undefined) stops.stop(refused);

  const acknowledgements = new Acknowledgements();
  const looking = { acknowledgements, signal };
  const lookFor = lookForDocuments(service.page, settings.readBack, looking);
  const refusals = refusalsOf(sending);
  const { onUnknown } = settings;
  const { notice } = run;
  const patience = settings.readBack;
  const doubts = new Doubts({
    recorder,
    journal: kept,
    onUnknown,
    refusals,
    lookFor,
    patience,
    notice,
  });
  const port = deliveryPort({ run, kept, doubts, refusals, acknowledgements }, service);

  const batches = cutBatches(notSentBefore(documents, sending, doubts), settings.batches);
  const toSend = settings.unsent === 'reconcile' ? missingOf(batches) : batches;
  await sendAll(toSend, doubts, deliverAll, () => stops.stopsSending);

  /** Has all of them looked for, and gives what is missing, as far as there is no room for more. */
  async function* missingOf(all: AsyncIterable<Batch>): AsyncGenerator<Batch> {
    for await (const batch of all) {
      if (doubts.full) yield* await doubts.resolve();
      if (stops.stopsSending || !(await port.intend(batch))) return;
      doubts.add(batch, 'whether it was sent before is not known');
    }
  }

  async function deliverAll(batches: AsyncIterable<Batch>): Promise<void> {
    const pacing = new LocalPacing(settings.delivery, systemClock.random);
    const { throttleStatuses } = settings.delivery;
    const means = { pacing, throttleStatuses, clock: systemClock };
    const { retries, gaveUp } = await sendBatches(batches, port, means);
    recorder.retries += retries;
    if (gaveUp !== undefined) stops.stop({ kind: 'service-down', message: gaveUp });
  }
}

/** What is known of refusals: said by the caller, or found out, now or by an earlier process. */
function refusalsOf({ run, kept, settings }: SendingRun): Refusals {
  const { recorder } = run;
  if (settings.refusals !== 'check') return new Refusals(settings.refusals, () => {});
  const known = kept?.refusals;
  recorder.refusals = known ?? null;
  return new Refusals(known, (meaning) => {
    recorder.refusals = meaning;
    kept?.rememberRefusals(meaning).catch(stopOnJournalError(run.stops));
    run.notice(WHAT_REFUSALS_MEAN[meaning]);
  });
}

const WHAT_REFUSALS_MEAN = {
  atomic:
    'The service takes nothing of a batch that it refuses. Say --refusals atomic, and a run need not find that out.',
  partial:
    'The service takes documents of batches that it refuses, so each such batch is looked for before the rest of it is sent again.',
} as const;

/** Leaves out what this run or an earlier one has sent. */
function notSentBefore(
  documents: AsyncIterable<readonly DocumentRange[]>,
  sending: SendingRun,
  doubts: Doubts,
): AsyncIterable<DocumentRange> {
  const { run, kept, settings } = sending;
  if (kept === undefined) return oneByOne(documents);
  const { recorder, stops } = run;
  const { retryRejected } = settings;
  const open = kept.isNew
    ? oneByOne(documents)
    : skipSettled(documents, { kept, recorder, stops, doubts, retryRejected });
  const unsent = skipKnown(open, { kept, recorder });
  const { before } = kept;
  if (before === undefined || settings.unsent !== 'check') return unsent;
  return checkFirst(unsent, firstCheck(sending, before));
}

/** What was sent last shows after a quiet time. */
function firstCheck(
  { run, service, settings: { readBack } }: SendingRun,
  { cutOffMs = 0 }: ProcessBefore,
): FirstCheck {
  const { stops, notice, signal } = run;
  const quietMs = Math.max(readBack.quietMs, readBack.timeoutMs);
  return {
    stops,
    lookOnce: (documents) => lookOnce(documents, service.page, signal),
    // A clock may have been set back meanwhile.
    waitMs: Math.min(quietMs, cutOffMs + quietMs - systemClock.now()),
    notice,
    signal,
  };
}

async function* oneByOne(
  documents: AsyncIterable<readonly DocumentRange[]>,
): AsyncGenerator<DocumentRange> {
  for await (const ranges of documents) yield* ranges;
}
