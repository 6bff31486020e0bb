/**
 * The corridor from where documents are ready to be sent: what was sent before apart → batches →
 * delivery → what is in doubt. It is loaded when it is needed.
 */
import { cutBatches } from './batching/cut-batches.js';
import { deliver } from './delivery/deliver.js';
import type { Batch, DocumentRange } from './documents.js';
import type { Service } from './open-service.js';
import type { SendingOptions } from './options.js';
import { deliveryPort } from './run/delivery-port.js';
import { Acknowledgements } from './run/doubts/acknowledgements.js';
import { Doubts } from './run/doubts/doubts.js';
import { lookForDocuments } from './run/doubts/look-for.js';
import type { KeptRun } from './run/kept/kept-run.js';
import { skipKnown } from './run/kept/skip-known.js';
import { skipSettled } from './run/kept/skip-settled.js';
import type { PreparedRun } from './run/prepare-run.js';

export { openService } from './open-service.js';
export { finishRun } from './run/kept/finish-run.js';
export { finishedReport, keepRun, takeEarlierRun } from './run/kept/kept-run.js';

/** A run that is about to send. */
interface SendingRun {
  readonly run: PreparedRun;
  /** `undefined`: nothing of it outlives this process. */
  readonly kept: KeptRun | undefined;
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
  const { account, brake, signal } = run;
  const refused = await service.access(signal);
  if (refused !== undefined) brake.pull(refused);

  const journal = kept?.journal;
  const acknowledgements = new Acknowledgements();
  const looking = { acknowledgements, signal };
  const lookFor = lookForDocuments(service.page, settings.readBack, looking);
  const { onUnknown } = settings;
  const doubts = new Doubts({ account, journal, onUnknown, lookFor, notice: run.notice });
  const port = deliveryPort({ run, journal, doubts, acknowledgements }, service);

  const unsent = notSentBefore(documents, sending, doubts);
  await deliverAll(withRoom(cutBatches(unsent, settings.batches), doubts));
  while (!brake.stopsSending) {
    const missing = await doubts.resolve();
    if (missing.length === 0) break;
    await deliverAll(inTurn(missing));
  }
  doubts.giveUp();

  async function deliverAll(batches: AsyncIterable<Batch>): Promise<void> {
    const { retries, gaveUp } = await deliver(batches, settings.delivery, port);
    account.retries += retries;
    if (gaveUp !== undefined) brake.pull({ kind: 'service-down', message: gaveUp });
  }
}

/** Leaves out what this run or an earlier one has sent. */
function notSentBefore(
  documents: AsyncIterable<readonly DocumentRange[]>,
  { run, kept, settings }: SendingRun,
  doubts: Doubts,
): AsyncIterable<DocumentRange> {
  if (kept === undefined) return oneByOne(documents);
  const { journal, ledger, target } = kept;
  const { account, brake } = run;
  const { retryRejected } = settings;
  const open = journal.isNew
    ? oneByOne(documents)
    : skipSettled(documents, { account, brake, journal, doubts, retryRejected });
  return ledger === undefined ? open : skipKnown(open, { ledger, target }, account);
}

async function* oneByOne(
  documents: AsyncIterable<readonly DocumentRange[]>,
): AsyncGenerator<DocumentRange> {
  for await (const ranges of documents) yield* ranges;
}

/** Resolves what is in doubt first, when there is no room for more of it. */
async function* withRoom(batches: AsyncIterable<Batch>, doubts: Doubts): AsyncGenerator<Batch> {
  for await (const batch of batches) {
    if (doubts.full) yield* await doubts.resolve();
    yield batch;
  }
}

async function* inTurn(batches: readonly Batch[]): AsyncGenerator<Batch> {
  yield* batches;
}
