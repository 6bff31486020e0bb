/** What is looked back at when the service throttles. */
const SPAN_MS = 1_000;
/** The same at the beginning, when less has passed. */
const MIN_SPAN_MS = 100;
/** The same where little is sent, so that one request more or less doesn't count for much. */
const LONG_SPAN_MS = 3_000;
/** Refusals beyond this share of the answers are no accident. */
const ACCIDENTS = 0.1;
/** A little below what was taken, so that the service can recover. */
const STEP_BACK = 0.95;
/** While the rate grows, what was taken lags behind it. */
const LAG = 1.08;
/** Where finding the limit costs a pause of this length, the lag is not made up for. */
const DEAR_PAUSE_MS = 1_000;
/** Requests a second; what takes still less asks for pauses. */
const MIN_RATE = 1;
/** How long a rate is kept before more is tried; twice as long each time it proves right. */
const MIN_HOLD_MS = 1_000;
const MAX_HOLD_MS = 10_000;
/** Rates that differ by less are the same. */
const SAME_RATE = 0.25;
/** Growth in the first second in which more is tried; it gets faster, to tenfold in the third. */
const GROWTH = 1.3;
/** Old answers are dropped when there are so many, or twice as many as were left last time. */
const MIN_TO_TIDY = 1_024;

/**
 * Learns how many requests a second the service takes, from what it takes while it refuses others.
 * Requests at a time can't say that: one at a time may be too many for a service that is quick and
 * counts. Time is given in milliseconds.
 */
export class LearnedRate {
  #startedAt: number | undefined;
  #answers: { readonly at: number; readonly taken: boolean }[] = [];
  #tidyAt = MIN_TO_TIDY;
  #rate = Number.POSITIVE_INFINITY;
  /** Refusals up to here have been heeded. */
  #reachedAt = Number.NEGATIVE_INFINITY;
  #keptUntil = 0;
  #holdMs = MIN_HOLD_MS;

  /** @param taken whether the service took the request on, rather than refusing it unseen */
  answered(now: number, taken: boolean): void {
    this.#startedAt ??= now;
    this.#answers.push({ at: now, taken });
    if (this.#answers.length < this.#tidyAt) return;
    this.#answers = this.#within(now, LONG_SPAN_MS);
    this.#tidyAt = Math.max(MIN_TO_TIDY, 2 * this.#answers.length);
  }

  /** Whether so much is refused that there is too much of it, rather than a hiccup. */
  overloaded(now: number): boolean {
    const recent = this.#within(now, SPAN_MS);
    const refused = recent.filter(({ at, taken }) => !taken && at > this.#reachedAt).length;
    return refused > Math.max(1, recent.length * ACCIDENTS);
  }

  /** Whether it is known at all. */
  get known(): boolean {
    return this.#rate < Number.POSITIVE_INFINITY;
  }

  /** Whether more may go than is known to be taken. */
  growing(now: number): boolean {
    return now > this.#keptUntil;
  }

  /**
   * The service refuses what is more than it can take. If more was being tried, what went well
   * before still stands.
   * @param sentAt when the request went that it refused
   * @param from when sending goes on
   */
  reached(sentAt: number, now: number, from: number): void {
    const taken = this.#takenRate(now, SPAN_MS);
    let rate = Math.max(MIN_RATE, Math.min(this.#rate, taken * STEP_BACK));
    if (this.known && this.growing(now)) {
      // The longer the pause, the dearer it is to find the limit once more.
      const lag = from - now < DEAR_PAUSE_MS ? LAG : STEP_BACK;
      const before = Math.max(taken, this.#takenRate(now, LONG_SPAN_MS));
      rate = Math.max(this.#rate, Math.min(this.at(sentAt) * STEP_BACK, before * lag));
    }
    const confirmed = Math.abs(rate - this.#rate) <= SAME_RATE * rate;
    this.#holdMs = confirmed ? Math.min(MAX_HOLD_MS, this.#holdMs * 2) : MIN_HOLD_MS;
    this.#rate = rate;
    this.#reachedAt = now;
    this.#keptUntil = from + this.#holdMs;
  }

  /** Most requests a second now. */
  at(now: number): number {
    const grownFor = Math.max(0, now - this.#keptUntil) / 1000;
    return this.#rate * GROWTH ** (grownFor * grownFor);
  }

  /** Requests a second that were taken within a span that ends now. */
  #takenRate(now: number, spanMs: number): number {
    const taken = this.#within(now, spanMs).filter((answer) => answer.taken).length;
    const since = now - (this.#startedAt ?? now);
    return (taken * 1000) / Math.min(spanMs, Math.max(MIN_SPAN_MS, since));
  }

  #within(now: number, spanMs: number): { readonly at: number; readonly taken: boolean }[] {
    const first = this.#answers.findIndex(({ at }) => now - at < spanMs);
    return first === -1 ? [] : this.#answers.slice(first);
  }
}

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

  /**
   * What is missing of the next token comes in at another rate from now on.
   * @param from requests a second until now, above 0; may be infinite
   * @param to requests a second from now on, above 0; may be infinite
   */
  rateChanged(now: number, from: number, to: number): void {
    if (now < this.#freeAt && from !== to) this.#freeAt = now + ((this.#freeAt - now) * from) / to;
  }
}
