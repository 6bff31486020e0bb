/** Spaces requests: a token bucket that holds one token. */
export class TokenBucket {
  #freeAt = Number.NEGATIVE_INFINITY;

  waitMs(now: number): number {
    return Math.max(0, this.#freeAt - now);
  }

  /**
   * Reserves the next free moment, which may be in the future.
   * @param rate requests a second, above 0; may be infinite
   * @returns how long until then, in milliseconds
   */
  take(now: number, rate: number): number {
    const at = Math.max(now, this.#freeAt);
    this.#freeAt = at + 1000 / rate;
    return at - now;
  }
}

/** Length of the window of recent answers. */
const SPAN_MS = 1_000;
/** Shortest window, at the beginning. */
const MIN_SPAN_MS = 100;
/** Largest share of refused requests that isn't taken for overload. */
const MAX_REFUSED_SHARE = 0.1;
const RATE_DECREASE = 0.2;
const PLATEAU_MS = 4_000;
/** Requests a second; a service that takes fewer asks for pauses. */
const MIN_RATE = 1;

/**
 * Rate limit for a service that answers 429 to excess requests, in requests a second: unlimited
 * until it does, then a fifth less than it accepted in the last second, and from there along the
 * curve of TCP CUBIC (RFC 9438): flat around the accepted rate, then ever faster. Limiting
 * concurrency isn't enough: a single connection with a round trip of 5 ms makes 200 requests a
 * second. Times are in milliseconds.
 */
export class CubicRate {
  readonly #taken = new SlidingCount();
  readonly #refused = new SlidingCount();
  #maxRate = Number.POSITIVE_INFINITY;
  #reducedAt = 0;
  #startedAt: number | undefined;

  /** @param taken whether the service processed the request instead of refusing it unread */
  answered(now: number, taken: boolean): void {
    this.#startedAt ??= now;
    (taken ? this.#taken : this.#refused).add(now);
  }

  /** Returns whether the service refuses more than a few requests. */
  isTooFast(now: number): boolean {
    const refused = this.#refused.within(now);
    return refused > Math.max(1, MAX_REFUSED_SHARE * (refused + this.#taken.within(now)));
  }

  /** @param from when sending resumes */
  reduce(now: number, from: number): void {
    const spanMs = Math.min(SPAN_MS, Math.max(MIN_SPAN_MS, now - (this.#startedAt ?? now)));
    const taken = (this.#taken.within(now) * 1_000) / spanMs;
    this.#maxRate = Math.max(MIN_RATE, Math.min(this.at(now), taken));
    this.#reducedAt = from;
  }

  /** Requests a second allowed at `now`; may be infinite. */
  at(now: number): number {
    const plateaus = Math.max(0, now - this.#reducedAt) / PLATEAU_MS;
    return this.#maxRate * (1 + RATE_DECREASE * (plateaus - 1) ** 3);
  }
}

/** Counts events within the last second, estimated from the counts of whole seconds. */
class SlidingCount {
  #second = 0;
  #current = 0;
  #before = 0;

  add(now: number): void {
    this.#advance(now);
    this.#current += 1;
  }

  within(now: number): number {
    this.#advance(now);
    const share = now / SPAN_MS - this.#second;
    return this.#current + (1 - share) * this.#before;
  }

  #advance(now: number): void {
    const second = Math.floor(now / SPAN_MS);
    if (second === this.#second) return;
    this.#before = second === this.#second + 1 ? this.#current : 0;
    this.#current = 0;
    this.#second = second;
  }
}
