/**
 * The pipeline from where documents are ready to be sent: without those sent before → batches →
 * delivery → outcomes. Loaded when something is to be sent.
 */

import { backoffMs } from '../../api/transport/backoff.js';
import { cutBatches } from '../../delivery/batches.js';
import { systemClock } from '../../delivery/clock.js';
import type { DeliveryContext, DeliveryJournal, DeliveryResult } from '../../delivery/context.js';
import { Delivery } from '../../delivery/deliver.js';
import { Pacing } from '../../delivery/pacing/pacing.js';
import type { DocumentRange } from '../../model/documents.js';
import { JournalError } from '../../model/errors.js';
import type { Run } from '../../runs/run.js';
import type { SendingOptions } from '../check-options.js';
import type { Service } from '../open-service.js';
import { OtherRuns } from './other-runs.js';
import type { PreparedRun } from './prepare-run.js';
import { skipSent } from './skip-sent.js';

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
  /** As in `DeliverySettings`. */
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
  const refused = await waitForAccess(sending);
  if (refused !== undefined) stops.stop(refused);

  const others = new OtherRuns(kept, { recorder, duplicates: run.findings.duplicates });
  const journal = journalOf(sending, others);
  const recalled = kept === undefined || kept.isNew ? [] : await kept.acknowledged();
  const delivery = new Delivery(deliveryContext(sending, journal), recalled);
  const unsent = skipSent(documents, { kept, recorder, stops, journal, others, ...settings });
  await record(delivery.deliver(cutBatches(unsent, settings.batches)), run);
  const left = await others.left();
  if (left.length > 0) {
    await record(delivery.deliver(cutBatches(inTurn(left), settings.batches)), run);
  }
}

/** Whether documents can be sent, once the service is there: it is waited for as long as it may be down. */
async function waitForAccess({
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

/** Records the outcome of documents as delivery finds it out. */
async function record(
  results: AsyncIterable<DeliveryResult>,
  { recorder, findings, tellProgress }: PreparedRun,
): Promise<void> {
  for await (const result of results) {
    const { kind, batch } = result;
    if (kind === 'settled') {
      if (result.outcome === 'accepted') findings.delivery.accepted(batch.count);
      recorder.settled(batch, result.outcome, result.message);
    } else if (kind === 'sent-again') {
      for (const range of batch.ranges) recorder.sentAgain(range, result.message);
    } else recorder.shownTwice(batch);
    tellProgress();
  }
}

function deliveryContext(
  { run, service, settings, ...given }: SendingRun,
  journal: DeliveryJournal,
): DeliveryContext {
  const { recorder, findings, stops, signal, notice } = run;
  const { delivery, onUnknown, refusals, reconciliation } = settings;
  const { throttleStatuses, maxOutageMs } = delivery;
  return {
    service: {
      ...service,
      send: (batch, resends) => {
        recorder.batches += 1;
        if (resends > 0) recorder.retries += 1;
        return findings.delivery.request(() => service.send(batch, resends));
      },
    },
    journal,
    settings: {
      ...{ throttleStatuses, maxOutageMs, onUnknown, refusals },
      reconciliation: { ...reconciliation, maxOutageMs },
      ahead: given.ahead ?? 1,
    },
    pacing: given.pacing ?? new Pacing(delivery, systemClock.random),
    clock: systemClock,
    ...{ stops, signal, notice },
  };
}

/** The run's journal; a journal that can't be written ends the run. */
function journalOf({ run: { stops }, kept }: SendingRun, others: OtherRuns): DeliveryJournal {
  if (kept === undefined) {
    return { intend: async (batch) => batch, settle: () => {}, isPartOf: () => {} };
  }
  return {
    intend: async (batch) => {
      const intended = await kept.intend(batch).catch((error: unknown) => {
        if (!(error instanceof JournalError)) throw error;
        stops.stop({ kind: 'output', message: error.message, cause: error });
        return undefined;
      });
      for (const [range, known] of intended?.known ?? []) others.settle(range, known);
      return intended?.batch;
    },
    settle: (batch, known) => kept.settle(batch, known),
    isPartOf: (part, whole) => kept.isPartOf(part, whole),
  };
}

async function* inTurn<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
