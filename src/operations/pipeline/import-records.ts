/** The way of every record of an import, from its source to its outcome. Loaded lazily; validations never send. */

import { backoffMs } from '../../api/transport/backoff.js';
import { cutBatches } from '../../delivery/batches.js';
import { systemClock } from '../../delivery/clock.js';
import type { DeliveryContext, DeliveryResult } from '../../delivery/context.js';
import { deliver } from '../../delivery/deliver.js';
import { pacedReads } from '../../delivery/pacing/paced-service.js';
import { Pacing } from '../../delivery/pacing/pacing.js';
import { Reconciliation } from '../../delivery/reconciliation/reconciliation.js';
import { ServiceError } from '../../model/errors.js';
import { sentence } from '../../model/text.js';
import type { ThreadPool } from '../../transform/pool/transform-on-threads.js';
import { ImportJournal } from './import-journal.js';
import type { Service } from './open-service.js';
import { emitProgress, type PipelineRun } from './pipeline-run.js';
import { readDocuments } from './read-documents.js';
import { skipSent } from './skip-sent.js';

interface Importing {
  readonly service: Service;
  /** From `startThreads`. */
  readonly threads?: ThreadPool | undefined;
  /** Default: its own. */
  readonly pacing?: Pacing;
  /** As in `DeliverySettings`. */
  readonly maxIntentsAhead?: number;
  /** As in `readDocuments`. */
  readonly maxIds?: number;
}

/**
 * Imports the records of a prepared run: reads and transforms them, skips documents that were sent
 * before, delivers the others in batches, and records the outcome of each, until all have one or the
 * run is stopped.
 */
export async function importRecords(run: PipelineRun, importing: Importing): Promise<void> {
  const { settings, stored, stops } = run;
  const { threads, maxIds, pacing = new Pacing(settings.pacing, systemClock.random) } = importing;
  const service = { ...importing.service, ...pacedReads(importing.service, pacing, systemClock) };
  const refused = await waitForAccess(run, service);
  if (refused !== undefined) stops.stop(refused);

  const journal = new ImportJournal(run);
  const recalled = stored === undefined || stored.isNew ? [] : await stored.acknowledged();
  const context = deliveryContext(run, journal, { ...importing, service, pacing });
  const reconciliation = new Reconciliation(context, recalled);

  const documents = readDocuments(run, threads, maxIds);
  const unsent = skipSent(documents, journal, run);
  const flushMs = Math.min(...run.sources.map((source) => source.flushMs));
  const batches = cutBatches(unsent, { ...settings.batches, flushMs });
  await noteResults(deliver(batches, context, reconciliation), journal, run);
  const stillUnsent = await journal.settleWaiting();
  if (stillUnsent.length > 0) {
    const last = cutBatches(toAsync(stillUnsent), settings.batches);
    await noteResults(deliver(last, context, reconciliation), journal, run);
  }
}

/**
 * Checks that documents can be sent. Waits for an overloaded service, or one in maintenance, as long
 * as in the middle of a run; for one that never answered, `maxOutageAtStartMs`, because its address
 * may be wrong.
 * @returns why they can't, or `undefined`
 */
async function waitForAccess(
  { signal, stops, notice, settings: { maxOutageAtStartMs, pacing } }: PipelineRun,
  service: Pick<Service, 'access'>,
): ReturnType<Service['access']> {
  const startMs = systemClock.now();
  let maxMs = maxOutageAtStartMs;
  for (let attempt = 1; ; attempt += 1) {
    const refused = await service.access(signal);
    if (refused?.kind !== 'service-down' || stops.stopsReading) return refused;
    const answer = refused.cause.cause instanceof ServiceError ? refused.cause.cause : undefined;
    if (answer !== undefined) maxMs = pacing.maxOutageMs;
    const leftMs = startMs + maxMs - systemClock.now();
    const askedMs = answer?.retryAfterMs ?? 0;
    if (leftMs <= askedMs) return refused;
    if (attempt === 1) notice(`${sentence(refused.cause.reason)} Waiting for it.`);
    const waitMs = Math.max(askedMs, backoffMs(attempt, systemClock.random()));
    await systemClock.sleep(Math.min(waitMs, leftMs), signal);
  }
}

async function noteResults(
  results: AsyncIterable<DeliveryResult>,
  journal: ImportJournal,
  run: PipelineRun,
): Promise<void> {
  for await (const result of results) {
    noteResult(result, journal, run);
    emitProgress(run);
  }
}

function noteResult(
  result: DeliveryResult,
  journal: ImportJournal,
  { recorder, delivery }: PipelineRun,
): void {
  const { kind, batch } = result;
  if (kind === 'outcome') {
    if (result.outcome === 'accepted') delivery.accepted(batch.count);
    recorder.noteBatch(batch, result.outcome, result.message);
  } else if (kind === 'shown-twice') recorder.noteShownTwice(batch);
  else {
    for (const range of batch.ranges) {
      if (kind === 'service-has-other-content') journal.noteSentElsewhere(range, 'changed');
      else recorder.noteSentAgain(range, result.message);
    }
  }
}

function deliveryContext(
  { stored, recorder, delivery, settings, stops, signal, notice }: PipelineRun,
  journal: ImportJournal,
  { service, pacing, maxIntentsAhead = 1 }: Importing & { readonly pacing: Pacing },
): DeliveryContext {
  return {
    service: {
      ...service,
      send: async (batch, retries) => {
        if (stored?.isLost) return TAKEN_OVER;
        recorder.batches += 1;
        if (retries > 0) recorder.retries += 1;
        return await delivery.request(() => service.send(batch, retries));
      },
    },
    settings: { ...settings.delivery, maxIntentsAhead },
    clock: systemClock,
    pacing,
    journal,
    stops,
    signal,
    notice,
  };
}

/** Result of sending once another process may have the run; asked before each request. */
const TAKEN_OVER = {
  kind: 'not-sent',
  message: 'another process has taken over its work',
} as const;

async function* toAsync<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
