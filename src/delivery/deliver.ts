import type { Batch } from '../model/documents.js';
import type { DeliveryContext, DeliveryResult } from './context.js';
import { Acknowledgements } from './reconciliation/acknowledged.js';
import { Reconciliation } from './reconciliation/reconciliation.js';
import type { Acknowledged } from './reconciliation/sightings.js';
import { BatchSource, sendBatches } from './send-batches.js';
import type { Waiting } from './send-queue.js';

/**
 * Delivers batches, and yields the outcome of their documents: sends them, reconciles those that may
 * have been taken, and sends again what turns out to be missing.
 */
export class Delivery {
  readonly #context: DeliveryContext;
  readonly #acknowledgements = new Acknowledgements();
  readonly #reconciliation: Reconciliation;

  /** @param recalled documents that an earlier process of the run saw accepted */
  constructor(context: DeliveryContext, recalled: readonly Acknowledged[] = []) {
    this.#context = context;
    this.#acknowledgements.recall(recalled, context.clock.now());
    this.#reconciliation = new Reconciliation(context, this.#acknowledgements);
  }

  /**
   * Delivers until there is nothing left to send or to find out, or the run is to end. The next
   * batch is asked for when one has gone, so a slow service slows the reading.
   */
  async *deliver(batches: AsyncIterable<Batch>): AsyncGenerator<DeliveryResult, void, undefined> {
    const reconciliation = this.#reconciliation;
    const { stops } = this.#context;
    const source = new BatchSource(batches, () => !reconciliation.full);
    let missing: readonly Waiting[] = [];
    try {
      do {
        for await (const { batch, verdict } of sendBatches(missing, source, this.#context)) {
          yield* reconciliation.answered(batch, verdict);
        }
        if (stops.stopsSending) break;
        const resolved = await reconciliation.resolve();
        yield* resolved.results;
        missing = resolved.missing;
      } while (missing.length > 0 || !source.exhausted);
      yield* reconciliation.giveUp();
    } finally {
      await source.close();
    }
  }
}
