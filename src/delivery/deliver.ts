import type { Batch } from '../model/documents.js';
import type { DeliveryPort } from './port.js';
import { Acknowledgements } from './reconciliation/acknowledged.js';
import { reconcile } from './reconciliation/reconcile.js';
import { type OnUnknown, Reconciliation } from './reconciliation/reconciliation.js';
import { type RefusalMeaning, Refusals } from './reconciliation/refusals.js';
import type { Acknowledged } from './reconciliation/sightings.js';
import type { ReconciliationSettings } from './reconciliation/unconfirmed-request.js';
import { type SendingMeans, type SendingPort, sendBatches } from './send-batches.js';

/** How to deliver. */
export interface DeliverySettings {
  readonly onUnknown: OnUnknown;
  /** What is known of refusals of several documents; `undefined`: it is to be found out. */
  readonly refusals: RefusalMeaning | undefined;
  readonly reconciliation: ReconciliationSettings;
}

/** Requests that carried documents, and how many of them were made again. */
export interface DeliveryFigures {
  readonly requests: number;
  readonly retries: number;
}

/**
 * Delivers batches, and settles what became of them: sends them, reconciles those whose outcome is
 * unknown, and sends again what turns out to be missing.
 */
export class Delivery {
  readonly #port: DeliveryPort;
  readonly #means: SendingMeans;
  readonly #refusals: Refusals;
  readonly #acknowledgements = new Acknowledgements();
  readonly #reconciliation: Reconciliation;
  #requests = 0;
  #retries = 0;

  constructor(settings: DeliverySettings, port: DeliveryPort, means: SendingMeans) {
    const { onUnknown, reconciliation } = settings;
    const { clock } = means;
    const { page, signal } = port;
    const acknowledgements = this.#acknowledgements;
    const pages = { page, signal, clock, acknowledged: () => acknowledgements.list() };
    this.#port = port;
    this.#means = means;
    this.#refusals = new Refusals(settings.refusals, port.learned);
    this.#reconciliation = new Reconciliation(port, {
      onUnknown,
      settings: reconciliation,
      refusals: this.#refusals,
      acknowledgements,
      reconcile: (requests) => reconcile(requests, reconciliation, pages),
      now: () => clock.now(),
    });
  }

  /** Delivers until there is nothing left to send or to find out, or the run is to end. */
  async deliver(batches: AsyncIterable<Batch>): Promise<DeliveryFigures> {
    await this.#send(this.#withRoom(batches));
    while (!this.#port.stopped()) {
      const missing = await this.#reconciliation.resolve();
      if (missing.length === 0) break;
      await this.#send(inTurn(missing));
    }
    this.#reconciliation.giveUp();
    return { requests: this.#requests, retries: this.#retries };
  }

  /** Takes in documents that an earlier process of the run saw accepted. */
  recall(documents: readonly Acknowledged[]): void {
    this.#acknowledgements.recall(documents, this.#means.clock.now());
  }

  /** A request was made for these documents before, and nobody knows what came of it. */
  unconfirmed(batch: Batch, message: string): void {
    this.#reconciliation.add(batch, message);
  }

  /** If there is no room for more that is unconfirmed: reconciles it, and gives what is missing. */
  async makeRoom(): Promise<readonly Batch[]> {
    return this.#reconciliation.full ? await this.#reconciliation.resolve() : [];
  }

  async *#withRoom(batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
    for await (const batch of batches) {
      yield* await this.makeRoom();
      yield batch;
    }
  }

  async #send(batches: AsyncIterable<Batch>): Promise<void> {
    const sent = await sendBatches(batches, this.#sendingPort(), this.#means);
    const { requests, retries, gaveUp } = sent;
    this.#requests += requests;
    this.#retries += retries;
    if (gaveUp !== undefined) this.#port.stop({ kind: 'service-down', message: gaveUp });
  }

  #sendingPort(): SendingPort {
    const port = this.#port;
    return {
      ...port,
      withdraw: (batch) => port.settle(batch, { outcome: 'unsent', message: '' }),
      answered: (batch, verdict) => {
        const { kind, message } = verdict;
        this.#reconciliation.answered(batch, verdict);
        if (kind === 'no-access' || verdict.notTheService) {
          port.stop({ kind: 'no-access', message });
        }
        port.progress();
      },
      refusesWhole: () => this.#refusals.atomic,
      probe: async () => {
        const { kind, message } = (await port.access(port.signal)) ?? {};
        if (kind === 'no-access') port.stop({ kind, message: message ?? '' });
        return kind === undefined;
      },
    };
  }
}

async function* inTurn(batches: readonly Batch[]): AsyncGenerator<Batch> {
  yield* batches;
}
