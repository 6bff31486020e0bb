import { backoffMs } from '../../api/transport/backoff.js';
import { AdaptiveConcurrency } from './concurrency.js';
import { CubicRate, TokenBucket } from './rate.js';

export interface PacingSettings {
  /** Concurrent requests, at least 1; `auto` adapts from 1 to 32. */
  readonly concurrency: number | 'auto';
  /** Most requests a second, above 0; default: no limit. */
  readonly rate?: number | undefined;
  /** Longest outage before delivery stops, in milliseconds. */
  readonly maxOutageMs: number;
}

export type PacingDecision =
  | { readonly kind: 'send' }
  | { readonly kind: 'probe' }
  /** Milliseconds; infinite: until the request in flight is answered. */
  | { readonly kind: 'wait'; readonly ms: number };

export interface RequestSample {
  readonly documents: number;
  readonly sentAt: number;
  readonly answeredAt: number;
  /** Whether the concurrency limit was reached when it was sent. */
  readonly sentAtLimit: boolean;
  readonly accepted: boolean;
  /** The service needs fewer requests. */
  readonly overloaded: boolean;
  /** The service may be down, or something else answered. */
  readonly failed: boolean;
  /** It never reached the service. */
  readonly unsent: boolean;
  readonly retryAfterMs: number | undefined;
  readonly message: string;
}

/**
 * Decides how fast to send: asked before every request, and updated with every answer. All times are
 * in milliseconds since 1970.
 */
export class Pacing {
  readonly #settings: PacingSettings;
  readonly #random: () => number;
  /** Requests a second; may be infinite. */
  #limit: number;
  readonly #cubic = new CubicRate();
  /** `undefined` if the user fixed the concurrency. */
  readonly #adaptive: AdaptiveConcurrency | undefined;
  readonly #starts = new TokenBucket();
  readonly #sends = new TokenBucket();
  readonly #breaker = new CircuitBreaker();
  #inFlight = 0;
  /** Start of the current row of failures. */
  #failingSince: number | undefined;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #pausesSinceAccepted = 0;
  /**
   * Time when overload was last noticed. Answers to requests that were sent before don't count again.
   */
  #noticedAt = Number.NEGATIVE_INFINITY;
  /** Set once sending has to end. */
  abortReason: string | undefined;
  /** Last failure, without a full stop. */
  lastError = '';

  /** @param random gives numbers from 0 up to 1 */
  constructor(settings: PacingSettings, random: () => number) {
    this.#settings = settings;
    this.#random = random;
    this.#limit = settings.rate ?? Number.POSITIVE_INFINITY;
    if (settings.concurrency === 'auto') this.#adaptive = new AdaptiveConcurrency();
  }

  /** Returns whether the concurrency limit is reached. */
  get full(): boolean {
    return this.#inFlight >= (this.#adaptive?.limit ?? (this.#settings.concurrency as number));
  }

  /**
   * Begins a round of sending. Learned limits and pauses stay. The outage clock and the breaker are
   * reset: reconciliation has reached the service meanwhile, and a time without sending shows nothing
   * about the service.
   */
  beginRound(): void {
    this.abortReason = undefined;
    this.#failingSince = undefined;
    this.#breaker.succeeded();
    this.#adaptive?.newWindow();
  }

  /** Sets the rate limit, in requests a second; takes effect with the second request from now. */
  limitRate(limit: number): void {
    this.#limit = limit;
  }

  decide(now: number): PacingDecision {
    const pausedMs = this.pausedFor(now);
    if (pausedMs > 0) return { kind: 'wait', ms: pausedMs };
    const decision = this.#breaker.decide(now);
    const ms = decision.kind === 'send' ? this.#starts.waitMs(now) : 0;
    return ms > 0 ? { kind: 'wait', ms } : decision;
  }

  /** Counts a request that is being prepared. */
  started(now: number): void {
    this.#inFlight += 1;
    this.#starts.take(now, this.#rate(now));
    this.#breaker.requestStarted(now);
  }

  /**
   * Spaces a request that is ready to be sent: preparation takes varying times, so requests could
   * otherwise follow each other too closely.
   * @returns how long to hold it back, in milliseconds
   */
  ready(now: number): number {
    return Math.max(this.#sends.take(now, this.#rate(now)), this.pausedFor(now));
  }

  /**
   * Reserves a moment for a request that isn't an import.
   * @returns how long to wait until then, in milliseconds
   */
  reserve(now: number): number {
    const rate = this.#rate(now);
    const ms = Math.max(this.#starts.take(now, rate), this.#sends.take(now, rate));
    return Math.max(ms, this.pausedFor(now));
  }

  pausedFor(now: number): number {
    return Math.max(0, this.#pausedUntil - now);
  }

  /** Drops a request that was started and won't be sent. */
  cancelled(): void {
    this.#breaker.requestCancelled();
    this.#inFlight -= 1;
  }

  /** Counts a harmless request that tests whether the service is up. */
  probing(now: number): void {
    this.#breaker.requestStarted(now);
  }

  /** @param up whether it answered */
  probed(up: boolean, now: number): void {
    this.#breaker.probed(up, now, this.#random());
    if (!up) this.#failed(now, "the service can't be reached");
  }

  /** Ends a request that was answered or never will be. */
  answered(sample: RequestSample): void {
    const { accepted, overloaded, failed, sentAt, answeredAt: now } = sample;
    if (accepted) {
      this.#pausesSinceAccepted = 0;
      this.#adaptive?.accepted(sample);
    }
    if (overloaded || !failed) this.#cubic.answered(now, !overloaded);
    if (failed) this.#breaker.failed(sentAt, now, this.#random());
    else this.#breaker.succeeded();
    if (overloaded || failed) this.#failed(now, sample.message);
    else this.#failingSince = undefined;
    this.#slowDown(sample);
    this.#inFlight -= 1;
  }

  /**
   * Slows down after an answer. A pause that the service asks for (`Retry-After`) replaces backoff.
   *
   * |                                     | halves concurrency | backs off | lowers the rate   |
   * |-------------------------------------|--------------------|-----------|-------------------|
   * | overloaded (429, 503, a timeout)    | yes                | no        | if asked to pause |
   * | overloaded by the rate of requests  | if it may be down  | yes       | yes               |
   * | never reached the service           | no                 | yes       | no                |
   */
  #slowDown({ overloaded, failed, unsent, sentAt, answeredAt, retryAfterMs = 0 }: RequestSample) {
    const now = answeredAt;
    if (retryAfterMs > 0) this.askedToPause(now, retryAfterMs);
    // Requests that were in flight together count once.
    if (sentAt <= this.#noticedAt || !(overloaded || unsent)) return;
    this.#noticedAt = now;
    const isTooFast = overloaded && this.#cubic.isTooFast(now);
    const asksForPause = retryAfterMs > 0;
    const halves = overloaded && (failed || !isTooFast);
    const backsOff = !asksForPause && (isTooFast || !overloaded);
    const lowersRate = overloaded && (asksForPause || isTooFast);
    if (halves) this.#adaptive?.halve();
    if (backsOff) this.#backOff(now);
    if (lowersRate) this.#cubic.reduce(now, Math.max(now, this.#pausedUntil));
  }

  #backOff(now: number): void {
    this.#pause(now + backoffMs(this.#pausesSinceAccepted, this.#random()));
    this.#pausesSinceAccepted += 1;
  }

  /** Pauses for as long as the service asks (`Retry-After`), or ends sending if the pause is too long. */
  askedToPause(now: number, ms: number): void {
    this.#pause(now + ms);
    const { maxOutageMs } = this.#settings;
    if (ms <= maxOutageMs) return;
    this.abortReason ??= `the service asks for a pause of ${seconds(ms)}, longer than the ${seconds(maxOutageMs)} that an outage may last; resume the run after it`;
  }

  #failed(now: number, message: string): void {
    this.lastError = message;
    this.#failingSince ??= now;
    const { maxOutageMs } = this.#settings;
    if (now - this.#failingSince <= maxOutageMs) return;
    this.abortReason ??= `no request has succeeded for more than ${seconds(maxOutageMs)}; the last failed: ${message}`;
  }

  #pause(until: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
  }

  /** Requests a second allowed now; may be infinite. */
  #rate(now: number): number {
    return Math.min(this.#limit, this.#cubic.at(now));
  }
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

const FAILURES_TO_OPEN = 5;
const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;

/**
 * Circuit breaker that opens after five failures in a row. While it is half-open, there is one
 * request at a time and at most one a second, with exponential backoff: first a probe, which leaves
 * no document unconfirmed, then a batch. The first success closes it. Times are in milliseconds.
 */
export class CircuitBreaker {
  #failures = 0;
  #open = false;
  #failuresSinceOpen = 0;
  #nextAt = 0;
  #startedAt = 0;
  #waiting = false;
  #lastProbeAnswered = false;

  decide(now: number): PacingDecision {
    if (!this.#open) return { kind: 'send' };
    if (this.#waiting) return { kind: 'wait', ms: Number.POSITIVE_INFINITY };
    if (now < this.#nextAt) return { kind: 'wait', ms: this.#nextAt - now };
    return { kind: this.#lastProbeAnswered ? 'send' : 'probe' };
  }

  requestStarted(now: number): void {
    this.#startedAt = now;
    this.#waiting = this.#open;
  }

  requestCancelled(): void {
    this.#waiting = false;
  }

  /** @param random from 0 up to 1 */
  probed(up: boolean, now: number, random: number): void {
    if (!this.#open) return;
    if (!up) {
      this.#failHalfOpen(now, random);
      return;
    }
    this.#waiting = false;
    this.#lastProbeAnswered = true;
    this.#nextAt = this.#startedAt + MIN_WAIT_MS;
  }

  /**
   * @param sentAt when the failed request was sent
   * @param random from 0 up to 1
   */
  failed(sentAt: number, now: number, random: number): void {
    if (this.#open) {
      // Failures of requests that were in flight when it opened don't count.
      if (this.#waiting && sentAt >= this.#startedAt) this.#failHalfOpen(now, random);
      return;
    }
    this.#failures += 1;
    if (this.#failures < FAILURES_TO_OPEN) return;
    this.#open = true;
    this.#failuresSinceOpen = 0;
    this.#failHalfOpen(now, random);
  }

  succeeded(): void {
    this.#failures = 0;
    this.#open = false;
    this.#waiting = false;
  }

  #failHalfOpen(now: number, random: number): void {
    this.#waiting = false;
    this.#lastProbeAnswered = false;
    this.#failuresSinceOpen += 1;
    const maxWaitMs = Math.min(MAX_WAIT_MS, MIN_WAIT_MS * 2 ** this.#failuresSinceOpen);
    this.#nextAt = now + MIN_WAIT_MS + random * (maxWaitMs - MIN_WAIT_MS);
  }
}
