import type { Batch } from '../model/documents.js';

export interface QueuedBatch {
  readonly batch: Batch;
  /** Number of times that this very batch was sent, or tried to be. */
  readonly tries: number;
  /** Earliest time to send it, in milliseconds since 1970. */
  readonly notBefore: number;
  /** The service throttled it, so the retry counts against the retry budget. */
  readonly throttled: boolean;
  /** Set if its documents were part of an earlier request. */
  readonly resend?: Resend | undefined;
  /** Resolves with the part to send once its intent is journaled, if that has begun. */
  readonly intended?: Promise<Batch | undefined>;
}

/** Facts about documents that were part of an earlier request. */
export interface Resend {
  /** The earlier request may have stored them. */
  readonly sentAgain: boolean;
  /** The request for which they prove that readings show documents stored after it. */
  readonly proofOf?: { readonly refused: boolean; readonly endedMs: number } | undefined;
}

/** Wraps a batch that wasn't sent in this form before. */
export function firstTry(batch: Batch, resend?: Resend): QueuedBatch {
  return { batch, tries: 0, notBefore: 0, throttled: false, resend };
}

/** With this many retries waiting, no new batches are sent. */
const MAX_RETRIES_WAITING = 32;

/**
 * Batches in sending order: parts of a split batch, then retries that are due, then new batches.
 * Retries let new batches pass while the retry budget is used up, until too many wait.
 */
export class SendQueue {
  readonly #budget = new RetryBudget();
  /** Parts, and behind them retries. */
  readonly #again: QueuedBatch[];
  readonly #new: QueuedBatch[] = [];
  readonly #maxNew: number;
  /**
   * Whether to pull new batches: turned on when the queue is half empty, and off when it is full,
   * so that intents are journaled in groups, which costs less.
   */
  wantsNew = true;

  /** @param maxNew most new batches that wait */
  constructor(parts: readonly QueuedBatch[], maxNew: number) {
    this.#again = [...parts];
    this.#maxNew = maxNew;
  }

  get empty(): boolean {
    return this.#again.length + this.#new.length === 0;
  }

  addNew(waiting: QueuedBatch): void {
    this.#new.push(waiting);
    if (this.#new.length >= this.#maxNew) this.wantsNew = false;
  }

  /** Removes the new batches, which won't be sent. */
  dropNew(): readonly QueuedBatch[] {
    return this.#new.splice(0);
  }

  addRetry(waiting: QueuedBatch): void {
    this.#again.push(waiting);
  }

  /** Puts parts first. */
  addParts(parts: readonly QueuedBatch[]): void {
    this.#again.unshift(...parts);
  }

  /** Removes the next batch to send, or returns how long to wait for it, in milliseconds. */
  take(now: number): QueuedBatch | number {
    const next = this.#next(now);
    if (typeof next !== 'number') this.#budget.sent(now, next.throttled);
    return next;
  }

  #next(now: number): QueuedBatch | number {
    const budgetMs = this.#again.length === 0 ? 0 : this.#budget.waitMs(now);
    let ms = Number.POSITIVE_INFINITY;
    for (const [at, waiting] of this.#again.entries()) {
      const wait = Math.max(waiting.notBefore - now, waiting.throttled ? budgetMs : 0);
      if (wait <= 0) {
        this.#again.splice(at, 1);
        return waiting;
      }
      ms = Math.min(ms, wait);
    }
    if (this.#again.length >= MAX_RETRIES_WAITING) return ms;
    const next = this.#new.shift();
    if (this.#new.length <= this.#maxNew / 2) this.wantsNew = true;
    return next ?? ms;
  }
}

const SPAN_MS = 60_000;
const SLICE_MS = 1_000;
const MAX_SHARE = 0.1;
/** As many as may be in flight, so that a short run needn't wait for a minute. */
const ALWAYS_ALLOWED = 32;

/**
 * Limits retries to a tenth of the requests of the last minute, or to 32 if that is more, so that
 * an overloaded service isn't loaded further. Counts requests whose documents were sent before and
 * throttled. Halves of a refused batch don't count: there are at most two for each, and the service
 * has room for them. Neither do requests that never left, which cost the service nothing.
 */
class RetryBudget {
  /** Requests of the last minute, in slices of a second. */
  #slices: { readonly startedAt: number; requests: number; retries: number }[] = [];

  sent(now: number, retry: boolean): void {
    let slice = this.#slices.at(-1);
    if (slice === undefined || now - slice.startedAt >= SLICE_MS) {
      slice = { startedAt: now, requests: 0, retries: 0 };
      this.#slices.push(slice);
    }
    slice.requests += 1;
    if (retry) slice.retries += 1;
  }

  /** Returns the time until a retry may be allowed, in milliseconds; 0 if one is. */
  waitMs(now: number): number {
    this.#slices = this.#slices.filter(({ startedAt }) => now - startedAt < SPAN_MS + SLICE_MS);
    const requests = 1 + sum(this.#slices.map((slice) => slice.requests));
    const retries = 1 + sum(this.#slices.map((slice) => slice.retries));
    return retries <= Math.max(ALWAYS_ALLOWED, requests * MAX_SHARE) ? 0 : SLICE_MS;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
