import type { Batch } from '../model/documents.js';

export interface QueuedBatch {
  readonly batch: Batch;
  /** Number of times that this very batch was sent, or tried to be. */
  readonly tries: number;
  /** Earliest time to send it, in milliseconds since 1970. */
  readonly notBefore: number;
  /** Set if its documents were part of an earlier request. */
  readonly resend?: Resend | undefined;
  /** Resolves with the part to send once its intent is journaled, if that has begun. */
  readonly journaled?: Promise<Batch | undefined>;
}

/** Facts about documents that were part of an earlier request. */
export interface Resend {
  /** The earlier request may have stored them. */
  readonly sentAgain: boolean;
  /** The unconfirmed request that these documents are a canary for. It may have stored them. */
  readonly canaryFor?:
    | { readonly message: string; readonly refused: boolean; readonly endedMs: number }
    | undefined;
}

/** Queues a batch for its first request, and clears `sentOther`: now its own content is sent. */
export function firstTry(batch: Batch, resend?: Resend): QueuedBatch {
  return { batch: { ...batch, sentOther: undefined }, tries: 0, notBefore: 0, resend };
}

/** With this many retries waiting, no new batches are sent. */
const MAX_RETRIES_WAITING = 32;

/**
 * Batches in sending order: parts of a split batch, then retries that are due, then new batches,
 * unless too many retries wait.
 */
export class SendQueue {
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

  /** Removes the canaries, which won't be sent. */
  dropCanaries(): readonly QueuedBatch[] {
    return this.#again.splice(0).filter(({ resend }) => resend?.canaryFor !== undefined);
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
    let ms = Number.POSITIVE_INFINITY;
    for (const [at, waiting] of this.#again.entries()) {
      const wait = waiting.notBefore - now;
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
