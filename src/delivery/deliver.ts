import { backoffMs } from '../api/transport/backoff.js';
import type { Batch } from '../model/documents.js';
import { cutBatch } from './batches.js';
import { classifyResponse, type Verdict } from './classify-response.js';
import type { DeliveryContext, DeliveryResult } from './context.js';
import { type Acknowledged, Acknowledgements } from './reconciliation/evidence.js';
import { Reconciliation } from './reconciliation/unconfirmed.js';
import { type Resend, SendQueue, unsentBefore, type Waiting } from './send-queue.js';

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

/** What is known of a batch's documents, as far as that can be known from an answer. */
export interface Response {
  readonly batch: Batch;
  readonly verdict: Verdict;
  /** As in `Waiting`. */
  readonly resend?: Resend | undefined;
}

/** Where new batches come from, over several rounds of sending. */
export class BatchSource {
  readonly #batches: AsyncIterator<Batch>;
  readonly #hasRoom: () => boolean;
  /** Whether there are no more. */
  exhausted = false;

  /** @param hasRoom whether more of them may be taken for now */
  constructor(batches: AsyncIterable<Batch>, hasRoom: () => boolean) {
    this.#batches = batches[Symbol.asyncIterator]();
    this.#hasRoom = hasRoom;
  }

  /** Whether there may be one to take now. */
  get isOpen(): boolean {
    return !this.exhausted && this.#hasRoom();
  }

  async next(): Promise<Batch | undefined> {
    const step = await this.#batches.next();
    if (!step.done) return step.value;
    this.exhausted = true;
    return undefined;
  }

  async close(): Promise<void> {
    if (!this.exhausted) await this.#batches.return?.();
  }
}

/**
 * Sends batches as fast as the pacing allows, until the source has none for now or the run is to
 * end, and yields what is known of each. What the service certainly refused or never got is sent
 * again, whole or in parts; what it may have taken never is. Throws only if the source or the
 * context does.
 *
 * When it ends, every batch that was taken from the source was yielded, or, if sending ended early,
 * recorded as unsent or never intended.
 * @param again what goes first
 */
export function sendBatches(
  again: readonly Waiting[],
  source: BatchSource,
  context: DeliveryContext,
): AsyncGenerator<Response, void, undefined> {
  return new Sender(again, source, context).run();
}

/** A pause that a person notices. */
const LONG_PAUSE_MS = 3_000;
const MAX_NOTICES = 10;

class Sender {
  readonly #source: BatchSource;
  readonly #context: DeliveryContext;
  readonly #queue: SendQueue;
  /** Requests, probes, and the next batch that was asked for. */
  readonly #inFlight = new Set<Promise<void>>();
  /** What is still to be yielded. */
  readonly #responses: Response[] = [];
  #asking = false;
  #error: { readonly thrown: unknown } | undefined;
  /** The pause that lasts, or comes again before anything went well, was announced. */
  #announced = false;
  #notices = 0;
  #announcedSplit = false;
  /** Something has happened since the last sleep ended. */
  #woken = false;
  /** Ends the sleep of the loop that waits for something to happen. */
  #endSleep: (() => void) | undefined;

  constructor(again: readonly Waiting[], source: BatchSource, context: DeliveryContext) {
    this.#source = source;
    this.#context = context;
    this.#queue = new SendQueue(again, context.settings.ahead ?? 1);
  }

  async *run(): AsyncGenerator<Response, void, undefined> {
    const { signal, pacing, stops } = this.#context;
    signal.addEventListener('abort', this.#wake);
    pacing.begin(this.#wake);
    try {
      while (!this.#over && !this.#done) {
        await this.#sleep(this.#step());
        yield* this.#responses.splice(0);
      }
    } finally {
      signal.removeEventListener('abort', this.#wake);
      pacing.end(this.#wake);
      await Promise.all(this.#inFlight);
      for (const { intended } of this.#queue.dropFresh()) this.#withdraw(await intended);
    }
    yield* this.#responses.splice(0);
    if (this.#error !== undefined) throw this.#error.thrown;
    if (pacing.gaveUp !== undefined) stops.stop({ kind: 'service-down', message: pacing.gaveUp });
  }

  /** Whether nothing more is to be sent. */
  get #over(): boolean {
    const { pacing, signal, stops } = this.#context;
    const failed = this.#error !== undefined || pacing.gaveUp !== undefined;
    return failed || signal.aborted || stops.stopsSending;
  }

  /** Whether there is nothing left to be sent for now. */
  get #done(): boolean {
    const isIdle = this.#inFlight.size === 0 && this.#responses.length === 0;
    return isIdle && this.#queue.empty && !this.#source.isOpen;
  }

  /** Does what can be done now, and returns how long to wait before the next step, in milliseconds. */
  #step(): number {
    const { pacing, clock } = this.#context;
    if (this.#queue.wantsFresh && this.#source.isOpen && !this.#asking) this.#watch(this.#ask());
    const now = clock.now();
    const next = pacing.clearance(now);
    if (next.kind === 'wait') {
      this.#announcePause(next.ms);
      return next.ms;
    }
    if (next.kind === 'probe') {
      pacing.probing(now);
      this.#watch(this.#probe());
      return 0;
    }
    if (pacing.full) return Number.POSITIVE_INFINITY;
    const first = this.#queue.take(now);
    if (typeof first === 'number') return first;
    pacing.started(now);
    this.#watch(this.#send(first));
    return 0;
  }

  /** Takes the next batch, and makes it durable while all places are taken. */
  async #ask(): Promise<void> {
    this.#asking = true;
    const batch = await this.#source.next();
    this.#asking = false;
    if (batch === undefined) return;
    if (batch.unconfirmed !== undefined) {
      this.#responses.push({ batch, verdict: { kind: 'unknown', message: batch.unconfirmed } });
      return;
    }
    if (this.#over) return;
    const intended = this.#context.journal.intend(batch);
    // The request awaits it; until then, nothing does.
    intended.catch(() => {});
    this.#queue.fresh({ ...unsentBefore(batch), intended });
  }

  /** Sends a batch once it is durable and its turn: a pause may have begun meanwhile. */
  async #send(waiting: Waiting): Promise<void> {
    const { journal, pacing, clock, signal } = this.#context;
    let batch: Batch | undefined;
    try {
      const intended = await (waiting.intended ?? journal.intend(waiting.batch));
      if (intended === undefined || intended.count === 0) return;
      for (let ms = pacing.ready(clock.now()); ms > 0 && !this.#over; ) {
        await clock.sleep(ms, signal);
        ms = pacing.pausedFor(clock.now());
      }
      if (this.#over) this.#withdraw(intended);
      else batch = intended;
    } finally {
      // The pacing may outlive this, so it must not wait for an answer that never comes.
      if (batch === undefined) pacing.skipped();
    }
    if (batch !== undefined) await this.#request(batch, waiting);
  }

  async #request(batch: Batch, { tries, resend }: Waiting): Promise<void> {
    const { service, pacing, clock, settings } = this.#context;
    const { full } = pacing;
    const sentAt = clock.now();
    const exchange = await service.send(batch, tries);
    const answeredAt = clock.now();
    const decision = classifyResponse(exchange, batch, settings, answeredAt);
    const { step, verdict, throttled, failed, retryAfterMs } = decision;
    const { kind, message } = verdict;
    const is = { accepted: kind === 'accepted', unsent: kind === 'unsent', throttled, failed };
    const documents = batch.count;
    pacing.answered({ ...is, retryAfterMs, message, documents, sentAt, answeredAt, full });
    if (kind === 'accepted') this.#announced = false;
    if (step === 'settle') {
      this.#responses.push({ batch, verdict, resend });
      return;
    }
    this.#withdraw(batch);
    if (step === 'split') {
      if (decision.tooLarge) this.#announceSplit(batch);
      this.#queue.parts(cutBatch(batch, 2).map((part) => unsentBefore(part, resend)));
      return;
    }
    const notBefore = answeredAt + backoffMs(tries, clock.random());
    this.#queue.again({ batch, tries: tries + 1, notBefore, throttled, resend });
  }

  /** The request certainly changed nothing. */
  #withdraw(batch: Batch | undefined): void {
    if (batch !== undefined)
      this.#context.journal.settle(batch, { outcome: 'unsent', message: '' });
  }

  async #probe(): Promise<void> {
    const { service, signal, stops, pacing, clock } = this.#context;
    const refused = await service.access(signal);
    if (refused?.kind === 'no-access') stops.stop(refused);
    pacing.probed(refused === undefined, clock.now());
  }

  /** A person who sees nothing happen should know why, but not for each of many pauses. */
  #announcePause(pauseMs: number): void {
    const { trouble } = this.#context.pacing;
    const isLong = pauseMs >= LONG_PAUSE_MS && pauseMs < Number.POSITIVE_INFINITY;
    // Without trouble, it is a rate that is kept to.
    if (!isLong || trouble === '' || this.#announced || this.#notices >= MAX_NOTICES) return;
    this.#announced = true;
    this.#notices += 1;
    const seconds = Math.round(pauseMs / 1_000);
    this.#context.notice(
      `Nothing is sent for the next ${seconds} s (${trouble}); sending then resumes by itself.`,
    );
  }

  /** Each batch that is too large costs requests, which the user can avoid. */
  #announceSplit({ count, bytes }: Batch): void {
    if (this.#announcedSplit) return;
    this.#announcedSplit = true;
    this.#context.notice(
      `The service refuses batches of ${count} documents (${bytes} bytes) as too large (413), so they are sent in halves. --batch-size ${Math.ceil(count / 2)} avoids the refused requests.`,
    );
  }

  /** Keeps a promise in sight until it is settled; an error ends sending. */
  #watch(promise: Promise<void>): void {
    const watched = promise
      .catch((thrown: unknown) => {
        this.#error ??= { thrown };
      })
      .finally(() => {
        this.#inFlight.delete(watched);
        this.#wake();
      });
    this.#inFlight.add(watched);
  }

  /** Sleeps so long, or until something happens. */
  async #sleep(ms: number): Promise<void> {
    if (ms <= 0) return;
    if (!this.#woken && ms === Number.POSITIVE_INFINITY) {
      await new Promise<void>((resolve) => {
        this.#endSleep = resolve;
      });
    } else if (!this.#woken) {
      const woken = new AbortController();
      this.#endSleep = () => woken.abort();
      await this.#context.clock.sleep(ms, woken.signal);
    }
    this.#woken = false;
    this.#endSleep = undefined;
  }

  readonly #wake = (): void => {
    this.#woken = true;
    this.#endSleep?.();
  };
}
