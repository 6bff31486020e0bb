import type { Batch } from '../model/documents.js';
import type { DeliveryContext, DeliveryResult } from './context.js';
import { type Acknowledged, Acknowledgements } from './reconciliation/evidence.js';
import { Reconciliation } from './reconciliation/unconfirmed.js';
import { BatchSource, sendBatches } from './send-batches.js';
import type { Waiting } from './send-queue.js';

/**
 * Delivers batches, and yields the outcome of their documents: sends them, reconciles those that may
 * have been taken, and sends again what turns out to be missing.
 */
export class Delivery {
  readonly #context: DeliveryContext;
  readonly #reconciliation: Reconciliation;

  /** @param recalled documents that an earlier process of the run saw accepted */
  constructor(context: DeliveryContext, recalled: readonly Acknowledged[] = []) {
    const acknowledgements = new Acknowledgements(recalled, context.clock.now());
    this.#context = context;
    this.#reconciliation = new Reconciliation(context, acknowledgements);
  }

  /**
   * Delivers until there is nothing left to send or to find out, or the run is to end. The next
   * batch is asked for when one has gone, so a slow service slows the reading.
   */
  async *deliver(batches: AsyncIterable<Batch>): AsyncGenerator<DeliveryResult, void, undefined> {
    const reconciliation = this.#reconciliation;
    const source = new BatchSource(batches, () => !reconciliation.full);
    let missing: readonly Waiting[] = [];
    try {
      do {
        const responses = sendBatches(missing, source, this.#context);
        for await (const { batch, verdict, resend } of responses) {
          reconciliation.answered(batch, verdict, resend);
          yield* reconciliation.takeResults();
        }
        if (this.#context.stops.stopsSending) break;
        missing = await reconciliation.resolve();
        yield* reconciliation.takeResults();
      } while (missing.length > 0 || !source.exhausted);
      reconciliation.giveUp();
      yield* reconciliation.takeResults();
    } finally {
      await source.close();
    }
  }
}
