import { backoffMs } from '../../api/transport/backoff.js';
import { CircuitBreaker } from './circuit-breaker.js';
import { AdaptiveConcurrency } from './concurrency.js';
import { CubicRate } from './cubic-rate.js';
import type { Clearance, Pacing, PacingSettings, RequestSample } from './pacing.js';
import { TokenBucket } from './token-bucket.js';

/** Decides when the next request may go, from what came of those before it. */
export class LocalPacing implements Pacing {
  readonly #settings: PacingSettings;
  readonly #random: () => number;
  /** Most requests a second; may be infinite. */
  #limit: number;
  readonly #cubic = new CubicRate();
  /** `undefined`: as many requests at a time as the user says, whatever happens. */
  readonly #adaptive: AdaptiveConcurrency | undefined;
  readonly #starts = new TokenBucket();
  readonly #sends = new TokenBucket();
  readonly #breaker = new CircuitBreaker();
  /** Of those who send by it. */
  readonly #wakes = new Set<() => void>();
  /** Requests that started and are not answered. */
  #inFlight = 0;
  /** Since when nothing has gone well. */
  #failingSince: number | undefined;
  #pausedUntil = 0;
  /** Pauses since the last batch that was accepted. */
  #pauses = 0;
  /** What was sent until here was in flight together when the service was found wanting. */
  #noticedAt = Number.NEGATIVE_INFINITY;
  gaveUp: string | undefined;
  trouble = '';

  /** @param random gives numbers from 0 up to 1 */
  constructor(settings: PacingSettings, random: () => number) {
    this.#settings = settings;
    this.#random = random;
    this.#limit = settings.rate ?? Number.POSITIVE_INFINITY;
    if (settings.concurrency === 'auto') this.#adaptive = new AdaptiveConcurrency();
  }

  get concurrency(): number {
    const { concurrency } = this.#settings;
    return this.#adaptive?.limit ?? (concurrency as number);
  }

  get full(): boolean {
    return this.#inFlight >= this.concurrency;
  }

  /**
   * What was learned stays, and so do pauses. But if nobody has sent meanwhile, the service has been
   * heard of, as reconciling asks it, and for how long nothing was sent says nothing.
   */
  begin(wake: () => void): void {
    if (this.#wakes.size === 0 && this.#inFlight <= 0) this.#forget();
    this.#wakes.add(wake);
  }

  /** Forgets what the service was like when it was last asked. */
  #forget(): void {
    this.gaveUp = undefined;
    this.#failingSince = undefined;
    this.#breaker.wentWell();
    this.#adaptive?.newWindow();
  }

  end(wake: () => void): void {
    this.#wakes.delete(wake);
  }

  #wakeAll(): void {
    for (const wake of this.#wakes) wake();
  }

  /** Limits requests to so many a second from now on; one that waits already goes by that, too. */
  limitRate(limit: number, now: number): void {
    const from = this.#rate(now);
    this.#limit = limit;
    this.#starts.rateChanged(now, from, this.#rate(now));
    this.#sends.rateChanged(now, from, this.#rate(now));
    this.#wakeAll();
  }

  clearance(now: number): Clearance {
    if (now < this.#pausedUntil) return { kind: 'wait', ms: this.#pausedUntil - now };
    const clearance = this.#breaker.clearance(now);
    const ms = clearance.kind === 'send' ? this.#starts.waitMs(now) : 0;
    return ms > 0 ? { kind: 'wait', ms } : clearance;
  }

  started(now: number): void {
    this.#inFlight += 1;
    this.#starts.take(now, this.#rate(now));
    this.#breaker.asks(now);
  }

  ready(now: number): number {
    return Math.max(this.#sends.take(now, this.#rate(now)), this.pausedFor(now));
  }

  pausedFor(now: number): number {
    return Math.max(0, this.#pausedUntil - now);
  }

  skipped(): void {
    this.#breaker.asksNothing();
    this.#left();
  }

  probing(now: number): void {
    this.#breaker.asks(now);
  }

  probed(up: boolean, now: number): void {
    this.#breaker.probed(up, now, this.#random());
    if (!up) this.#failed(now, 'the service can not be reached');
    // Others wait for its answer, and who asked may have nothing left to send.
    this.#wakeAll();
  }

  answered(sample: RequestSample): void {
    this.#learn(sample);
    this.#left();
  }

  #left(): void {
    this.#inFlight -= 1;
    this.#wakeAll();
  }

  /** What a request teaches that somebody made. */
  #learn(sample: RequestSample): void {
    const { accepted, throttled, failed, sentAt, answeredAt: now, retryAfterMs = 0 } = sample;
    if (accepted) {
      this.#pauses = 0;
      this.#adaptive?.accepted(sample);
    }
    if (throttled || !failed) this.#cubic.answered(now, !throttled);
    if (failed) this.#breaker.failed(sentAt, now, this.#random());
    else this.#breaker.wentWell();
    if (throttled || failed) this.#failed(now, sample.message);
    else this.#failingSince = undefined;
    if (retryAfterMs > 0) this.#leaveAlone(now, retryAfterMs);
    // What was in flight together is one sign, however many answers give it.
    if (sentAt <= this.#noticedAt) return;
    if (throttled || sample.unsent) this.#noticedAt = now;
    if (throttled) this.#slowDown(now, sample);
    else if (sample.unsent) this.#backOff(now);
  }

  #slowDown(now: number, { failed, retryAfterMs = 0 }: RequestSample): void {
    const isOverloaded = this.#cubic.isOverloaded(now);
    if (failed || !isOverloaded) this.#adaptive?.throttled();
    if (retryAfterMs === 0 && isOverloaded) this.#backOff(now);
    if (retryAfterMs > 0 || isOverloaded) this.#cubic.reduce(now, Math.max(now, this.#pausedUntil));
  }

  #backOff(now: number): void {
    this.#pause(now + backoffMs(this.#pauses, this.#random()));
    this.#pauses += 1;
  }

  #leaveAlone(now: number, ms: number): void {
    this.#pause(now + ms);
    const { maxOutageMs } = this.#settings;
    if (ms <= maxOutageMs) return;
    this.gaveUp ??= `the service asks to be left alone for ${seconds(ms)}, and it may be down for ${seconds(maxOutageMs)} at most: what is unsent can be sent after that`;
  }

  #failed(now: number, message: string): void {
    this.trouble = message;
    this.#failingSince ??= now;
    const { maxOutageMs } = this.#settings;
    if (now - this.#failingSince <= maxOutageMs) return;
    this.gaveUp ??= `nothing has gone well for more than ${seconds(maxOutageMs)}; the last: ${message}`;
  }

  /** No request goes until then. */
  #pause(until: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
  }

  /** Requests a second that may go now; may be infinite. */
  #rate(now: number): number {
    return Math.min(this.#limit, this.#cubic.at(now));
  }
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
