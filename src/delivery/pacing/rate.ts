/** Keeps requests apart: a token bucket that holds one token. */
export class TokenBucket {
  #freeAt = Number.NEGATIVE_INFINITY;

  /** How long until a request may go, in milliseconds. */
  waitMs(now: number): number {
    return Math.max(0, this.#freeAt - now);
  }

  /**
   * Takes the next free moment, which may lie ahead.
   * @param rate requests a second, above 0; may be infinite
   * @returns how long until then, in milliseconds
   */
  take(now: number, rate: number): number {
    const at = Math.max(now, this.#freeAt);
    this.#freeAt = at + 1000 / rate;
    return at - now;
  }
}

/** What is looked back at, in milliseconds. */
const SPAN_MS = 1_000;
/** The same at the beginning, when less has passed. */
const MIN_SPAN_MS = 100;
/** Refusals up to this share of the answers are no sign of too many requests. */
const TOLERATED = 0.1;
/** How far the rate falls, as a share. */
const DECREASE = 0.2;
/** How long the rate takes back to what it was, in milliseconds. */
const PLATEAU_MS = 4_000;
/** Requests a second; a service that takes still fewer asks for pauses. */
const MIN_RATE = 1;

/**
 * Requests a second that a service takes which refuses the rest (429): unlimited until it does, then
 * a fifth less than what it took in the last second, and from there the curve of TCP CUBIC (RFC
 * 9438): flat around what was taken, then ever faster. How many requests are in flight can't do
 * that: one at a time is 200 a second 5 ms away. Times are in milliseconds.
 */
export class CubicRate {
  readonly #taken = new SlidingCount();
  readonly #refused = new SlidingCount();
  #most = Number.POSITIVE_INFINITY;
  #reducedAt = 0;
  #startedAt: number | undefined;

  /** @param taken whether the service took the request on, rather than refusing it unseen */
  answered(now: number, taken: boolean): void {
    this.#startedAt ??= now;
    (taken ? this.#taken : this.#refused).add(now);
  }

  /** Whether it refuses more than now and then. */
  isOverloaded(now: number): boolean {
    const refused = this.#refused.within(now);
    return refused > Math.max(1, TOLERATED * (refused + this.#taken.within(now)));
  }

  /** @param from when sending goes on */
  reduce(now: number, from: number): void {
    const spanMs = Math.min(SPAN_MS, Math.max(MIN_SPAN_MS, now - (this.#startedAt ?? now)));
    const taken = (this.#taken.within(now) * 1_000) / spanMs;
    this.#most = Math.max(MIN_RATE, Math.min(this.at(now), taken));
    this.#reducedAt = from;
  }

  /** Most requests a second now; may be infinite. */
  at(now: number): number {
    const since = Math.max(0, now - this.#reducedAt) / PLATEAU_MS;
    return this.#most * (1 + DECREASE * (since - 1) ** 3);
  }
}

/** Counts what happened within the last second, from the counts of whole seconds. */
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
