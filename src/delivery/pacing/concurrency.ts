/** Most requests that one process has in flight. */
const MAX_CONCURRENCY = 32;
const THROTTLE_FACTOR = 0.5;
/** Share of the way back to the limit before halving that each window makes up. */
const RECOVERY_SHARE = 0.25;
/** Limit from which doubling has to pay off: below it, a window has too few answers to compare. */
const MIN_COMPARED_LIMIT = 4;
const MIN_SPEEDUP = 1.1;

interface Accepted {
  readonly documents: number;
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly sentAtLimit: boolean;
}

/**
 * Finds the best number of concurrent requests, from 1 to 32: slow start, then AIMD. A window is as
 * many accepted batches as the limit. The limit doubles until the service is overloaded or doubling no
 * longer pays off. Then it grows by one for each window in which it was reached (faster on the way
 * back after halving), and is halved when the service is overloaded.
 */
export class AdaptiveConcurrency {
  #limit = 1;
  #limitWhenHalved = 1;
  #slowStart = true;
  /** Accepted batches in this window, and their documents. */
  #batches = 0;
  #documents = 0;
  #wasFull = false;
  /** Documents per millisecond in the previous window. */
  #speed = 0;
  #startedAt: number | undefined;

  get limit(): number {
    return Math.min(MAX_CONCURRENCY, Math.floor(this.#limit));
  }

  accepted(sample: Accepted): void {
    this.#startedAt ??= sample.sentAt;
    this.#batches += 1;
    this.#documents += sample.documents;
    this.#wasFull ||= sample.sentAtLimit;
    if (this.#batches >= this.limit) this.#endWindow(sample.answeredAt);
  }

  /** To be called once for requests that were in flight together. */
  halve(): void {
    this.#slowStart = false;
    this.#limitWhenHalved = this.#limit;
    this.#set(this.#limit * THROTTLE_FACTOR);
    this.newWindow();
  }

  /** Starts a window; measurements of the current one are dropped. */
  newWindow(startedAt?: number): void {
    this.#batches = 0;
    this.#documents = 0;
    this.#wasFull = false;
    this.#startedAt = startedAt;
  }

  #endWindow(now: number): void {
    const speed = this.#documents / Math.max(1, now - (this.#startedAt ?? now));
    if (this.#slowStart) this.#double(speed);
    else if (this.#wasFull) this.#grow();
    this.#speed = speed;
    this.newWindow(now);
  }

  /** Grows the limit by one, or faster while it is far below where it was halved. */
  #grow(): void {
    const missing = this.#limitWhenHalved - this.#limit;
    this.#set(this.#limit + Math.max(1, missing * RECOVERY_SHARE));
  }

  #double(speed: number): void {
    if (!this.#wasFull) return;
    if (this.limit >= MIN_COMPARED_LIMIT && speed < this.#speed * MIN_SPEEDUP) {
      this.#slowStart = false;
      this.#set(this.#limit / 2);
      return;
    }
    this.#set(this.#limit * 2);
    if (this.limit === MAX_CONCURRENCY) this.#slowStart = false;
  }

  #set(limit: number): void {
    this.#limit = Math.min(MAX_CONCURRENCY, Math.max(1, limit));
  }
}
