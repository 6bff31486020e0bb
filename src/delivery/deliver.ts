import { backoffMs } from '../api/transport/backoff.js';
import type { Batch } from '../model/documents.js';
import { cutBatch } from './batches.js';
import { classifyResponse, type Verdict } from './classify-response.js';
import type { DeliveryContext, DeliveryResult } from './context.js';
import type { Reconciliation } from './reconciliation/reconciliation.js';
import { firstTry, type QueuedBatch, type Resend, SendQueue } from './send-queue.js';

/**
 * Delivers batches and yields their documents' outcomes: sends them, reconciles documents that may
 * have been stored, and resends those that are missing. Ends when nothing is left to send or
 * reconcile, or the run has to end. Pulls the next batch when one has been sent, so a slow service
 * slows the reading.
 * @param reconciliation of the whole run, since documents acknowledged earlier prove what is missing
 */
export async function* deliver(
  batches: AsyncIterable<Batch>,
  context: DeliveryContext,
  reconciliation: Reconciliation,
): AsyncGenerator<DeliveryResult, void, undefined> {
  const source = new BatchSource(batches, () => !reconciliation.full);
  let missing: readonly QueuedBatch[] = [];
  try {
    do {
      const responses = sendBatches(missing, source, context);
      for await (const { batch, verdict, resend } of responses) {
        yield* reconciliation.answered(batch, verdict, resend);
      }
      if (context.stops.stopsSending) break;
      const resolved = await reconciliation.resolve();
      yield* resolved.results;
      ({ missing } = resolved);
    } while (missing.length > 0 || !source.exhausted);
    yield* reconciliation.giveUp();
  } finally {
    await source.close();
  }
}

export interface Response {
  readonly batch: Batch;
  readonly verdict: Verdict;
  readonly resend?: Resend | undefined;
}

/** Source of new batches over several rounds of sending. */
export class BatchSource {
  readonly #batches: AsyncIterator<Batch>;
  readonly #hasRoom: () => boolean;
  exhausted = false;

  /** @param hasRoom whether another batch may be pulled now */
  constructor(batches: AsyncIterable<Batch>, hasRoom: () => boolean) {
    this.#batches = batches[Symbol.asyncIterator]();
    this.#hasRoom = hasRoom;
  }

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
 * Sends batches as fast as the pacing allows, until the source has none for now or the run has to
 * end, and yields each with its verdict. Requests that the service certainly refused or never got
 * are sent again, whole or in parts; a request that it may have taken never is. Throws only if the
 * source or the context does.
 *
 * At the end, no batch that was pulled from the source is left with an open intent in the journal: it was
 * yielded with its verdict, or journaled as unsent, or had no intent yet.
 * Canaries that are still to be sent are yielded as unsent.
 * @param again batches to send first
 */
export function sendBatches(
  again: readonly QueuedBatch[],
  source: BatchSource,
  context: DeliveryContext,
): AsyncGenerator<Response, void, undefined> {
  return new Sender(again, source, context).run();
}

const MIN_ANNOUNCED_PAUSE_MS = 3_000;
const MAX_NOTICES = 10;

class Sender {
  readonly #source: BatchSource;
  readonly #context: DeliveryContext;
  readonly #queue: SendQueue;
  /** Requests, probes, and the pull of the next batch. */
  readonly #inFlight = new Set<Promise<void>>();
  /** Waiting to be yielded. */
  readonly #responses: Response[] = [];
  #pulling = false;
  #error: { readonly thrown: unknown } | undefined;
  /** The current pause was announced; reset when a batch is accepted. */
  #announced = false;
  #notices = 0;
  #announcedSplit = false;
  #woken = false;
  #endSleep: (() => void) | undefined;

  constructor(again: readonly QueuedBatch[], source: BatchSource, context: DeliveryContext) {
    this.#source = source;
    this.#context = context;
    this.#queue = new SendQueue(again, context.settings.maxIntentsAhead ?? 1);
  }

  async *run(): AsyncGenerator<Response, void, undefined> {
    const { signal, pacing, stops } = this.#context;
    signal.addEventListener('abort', this.#wake);
    pacing.beginRound();
    try {
      while (!this.#mustEnd && !this.#isIdle) {
        await this.#sleep(this.#step());
        yield* this.#responses.splice(0);
      }
    } finally {
      signal.removeEventListener('abort', this.#wake);
      await Promise.all(this.#inFlight);
      for (const { journaled } of this.#queue.dropNew()) this.#withdraw(await journaled);
      for (const { batch, resend } of this.#queue.dropCanaries()) {
        this.#responses.push({ batch, verdict: { kind: 'unsent', message: '' }, resend });
      }
    }
    yield* this.#responses.splice(0);
    if (this.#error !== undefined) throw this.#error.thrown;
    if (pacing.abortReason !== undefined)
      stops.stop({ kind: 'service-down', message: pacing.abortReason });
  }

  get #mustEnd(): boolean {
    const { pacing, signal, stops } = this.#context;
    const failed = this.#error !== undefined || pacing.abortReason !== undefined;
    return failed || signal.aborted || stops.stopsSending;
  }

  get #isIdle(): boolean {
    const nothingPending = this.#inFlight.size === 0 && this.#responses.length === 0;
    return nothingPending && this.#queue.empty && !this.#source.isOpen;
  }

  /** Takes one step, and returns how long to wait before the next one, in milliseconds. */
  #step(): number {
    const { pacing, clock } = this.#context;
    if (this.#queue.wantsNew && this.#source.isOpen && !this.#pulling)
      this.#watch(this.#pullNext());
    const now = clock.now();
    const next = pacing.decide(now);
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

  /** Pulls the next batch, and journals it while other requests are in flight. */
  async #pullNext(): Promise<void> {
    this.#pulling = true;
    const batch = await this.#source.next();
    this.#pulling = false;
    if (batch === undefined) return;
    if (batch.unconfirmed !== undefined) {
      this.#responses.push({ batch, verdict: { kind: 'unknown', message: batch.unconfirmed } });
      return;
    }
    if (this.#mustEnd) return;
    const journaled = this.#context.journal.writeIntent(batch);
    // Awaited only by the request, so avoid an unhandled rejection until then.
    journaled.catch(() => {});
    this.#queue.addNew({ ...firstTry(batch), journaled });
  }

  /** Sends a batch once it is journaled and no pause has begun meanwhile. */
  async #send(waiting: QueuedBatch): Promise<void> {
    const { pacing, clock, signal } = this.#context;
    let batch: Batch | undefined;
    try {
      const journaled = await (waiting.journaled ?? this.#writeIntent(waiting));
      if (journaled === undefined || journaled.count === 0) return;
      for (let ms = pacing.ready(clock.now()); ms > 0 && !this.#mustEnd; ) {
        await clock.sleep(ms, signal);
        ms = pacing.pausedFor(clock.now());
      }
      if (this.#mustEnd) {
        this.#withdraw(journaled, waiting.resend);
        // Dropped at the end, where canaries are yielded.
        this.#queue.addRetry({ ...waiting, batch: journaled });
      } else batch = journaled;
    } finally {
      // Pacing outlives this sender: don't leave it waiting for an answer.
      if (batch === undefined) pacing.cancelled();
    }
    if (batch !== undefined) await this.#request(batch, waiting);
  }

  /**
   * Journals a request. The earlier request of a canary stays unconfirmed until this moment: if the run
   * ends before, the document is reconciled by the next one.
   */
  #writeIntent({ batch, resend }: QueuedBatch): Promise<Batch | undefined> {
    if (resend?.canaryFor !== undefined) this.#withdraw(batch);
    return this.#context.journal.writeIntent(batch);
  }

  async #request(batch: Batch, { tries, resend }: QueuedBatch): Promise<void> {
    const { service, pacing, clock, settings } = this.#context;
    const sentAtLimit = pacing.full;
    const sentAt = clock.now();
    const exchange = await service.send(batch, resend === undefined ? tries : tries + 1);
    const answeredAt = clock.now();
    const decision = classifyResponse(exchange, batch, settings, answeredAt);
    const { step, verdict, overloaded, failed, retryAfterMs } = decision;
    const { kind, message } = verdict;
    const signs = { accepted: kind === 'accepted', unsent: kind === 'unsent', overloaded, failed };
    const documents = batch.count;
    pacing.answered({
      ...signs,
      retryAfterMs,
      message,
      documents,
      sentAt,
      answeredAt,
      sentAtLimit,
    });
    if (kind === 'accepted') this.#announced = false;
    if (step === 'finish') {
      this.#responses.push({ batch, verdict, resend });
      return;
    }
    this.#withdraw(batch, resend);
    if (step === 'split') {
      if (decision.tooLarge) this.#announceSplit(batch);
      const again = resend ?? { sentAgain: false };
      this.#queue.addParts(cutBatch(batch, 2).map((part) => firstTry(part, again)));
      return;
    }
    const notBefore = answeredAt + backoffMs(tries, clock.random());
    this.#queue.addRetry({ batch, tries: tries + 1, notBefore, resend });
  }

  /**
   * Journals that a request certainly changed nothing: its documents are unsent.
   * @param resend for a canary, whose earlier request may have: it stays unconfirmed
   */
  #withdraw(batch: Batch | undefined, resend?: Resend): void {
    const outcome = resend?.canaryFor === undefined ? 'unsent' : 'unknown';
    const message = resend?.canaryFor?.message ?? '';
    if (batch !== undefined) this.#context.journal.settle(batch, { outcome, message });
  }

  async #probe(): Promise<void> {
    const { service, signal, stops, pacing, clock } = this.#context;
    const refused = await service.access(signal);
    if (refused?.kind === 'no-access') stops.stop(refused);
    pacing.probed(refused === undefined, clock.now());
  }

  /** Announces a long pause, but only a few of many. */
  #announcePause(pauseMs: number): void {
    const { lastError } = this.#context.pacing;
    const isLong = pauseMs >= MIN_ANNOUNCED_PAUSE_MS && pauseMs < Number.POSITIVE_INFINITY;
    // Without an error, the pause is due to the rate limit.
    if (!isLong || lastError === '' || this.#announced || this.#notices >= MAX_NOTICES) return;
    this.#announced = true;
    this.#notices += 1;
    const seconds = Math.round(pauseMs / 1_000);
    this.#context.notice(`Sending pauses for ${seconds} s (${lastError}), then resumes by itself.`);
  }

  /** Announces once that batches are too large, since the user can avoid the extra requests. */
  #announceSplit({ count, bytes }: Batch): void {
    if (this.#announcedSplit) return;
    this.#announcedSplit = true;
    this.#context.notice(
      `The service refuses batches of ${count} documents (${bytes} bytes) as too large (413), so they are sent in halves. --batch-size ${Math.ceil(count / 2)} avoids the refused requests.`,
    );
  }

  /** Tracks a promise until it ends; an error ends sending. */
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

  /** Sleeps until woken, or for at most `ms`. */
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
