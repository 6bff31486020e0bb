/** What one process has in flight at most. */
const MAX_CONCURRENCY = 32;
const LESS_WHEN_THROTTLED = 0.5;
/** The share of the way back that is made in each window after that. */
const WAY_BACK = 0.25;
/** From here on doubling has to bring something: below, a window holds too few answers to tell. */
const DOUBTED_FROM = 4;
const WORTH_DOUBLING = 1.1;

/** A batch that the service accepted. */
interface Accepted {
  readonly documents: number;
  readonly sentAt: number;
  readonly answeredAt: number;
  /** Whether as many requests were in flight as are allowed. */
  readonly full: boolean;
}

/**
 * Finds how many requests at a time serve best, from 1 to 32: slow start, then AIMD. A window is a
 * round of as many accepted batches as the limit. The limit doubles until the service throttles or
 * doubling brings nothing. Then it grows by one (faster on the way back from throttling) for each
 * window in which it was reached, and is halved when the service throttles.
 */
export class AdaptiveConcurrency {
  #limit = 1;
  /** What the limit was when the service last throttled. */
  #throttledAt = 1;
  #slowStart = true;
  /** Accepted batches in this window, and their documents. */
  #batches = 0;
  #documents = 0;
  #wasFull = false;
  /** Documents a millisecond in the window before. */
  #speed = 0;
  #startedAt: number | undefined;

  get limit(): number {
    return Math.min(MAX_CONCURRENCY, Math.floor(this.#limit));
  }

  accepted(sample: Accepted): void {
    this.#startedAt ??= sample.sentAt;
    this.#batches += 1;
    this.#documents += sample.documents;
    this.#wasFull ||= sample.full;
    if (this.#batches >= this.limit) this.#endWindow(sample.answeredAt);
  }

  /** To be told once for the requests that were in flight together. */
  throttled(): void {
    this.#slowStart = false;
    this.#throttledAt = this.#limit;
    this.#set(this.#limit * LESS_WHEN_THROTTLED);
    this.newWindow();
  }

  /** What was measured of the window so far doesn't count. */
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

  /** By one, and faster while it is far below what it was before the service throttled. */
  #grow(): void {
    const missing = this.#throttledAt - this.#limit;
    this.#set(this.#limit + Math.max(1, missing * WAY_BACK));
  }

  #double(speed: number): void {
    if (!this.#wasFull) return;
    if (this.limit >= DOUBTED_FROM && speed < this.#speed * WORTH_DOUBLING) {
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
