import { backoffMs } from '../../api/transport/backoff.js';
import { AdaptiveConcurrency } from './concurrency.js';
import { CubicRate, TokenBucket } from './rate.js';

/** How one process paces itself. */
export interface PacingSettings {
  /** Requests at a time, at least 1; `auto` finds out, from 1 to 32. */
  readonly concurrency: number | 'auto';
  /** Most requests a second, above 0; by default as many as the service takes. */
  readonly rate?: number | undefined;
  /** How long the service may be down before delivery gives up, in milliseconds. */
  readonly maxOutageMs: number;
}

/** What may be asked of the service. */
export type Clearance =
  | { readonly kind: 'send' }
  | { readonly kind: 'probe' }
  /** Milliseconds; infinite: until what is in flight is answered. */
  | { readonly kind: 'wait'; readonly ms: number };

/** What a request teaches. */
export interface RequestSample {
  readonly documents: number;
  readonly sentAt: number;
  readonly answeredAt: number;
  /** Whether as many requests were in flight as are allowed. */
  readonly full: boolean;
  readonly accepted: boolean;
  /** The service has too much to do. */
  readonly throttled: boolean;
  /** It can't be told that the service is up and itself. */
  readonly failed: boolean;
  /** The request never left this machine. */
  readonly unsent: boolean;
  /** How long the service wants to be left alone, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** What went wrong, as half a sentence. */
  readonly message: string;
}

/**
 * Decides how fast to send: asked before every request, and taught by every answer. Several may send
 * by one pace. All times are in milliseconds since 1970.
 */
export class Pacing {
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
  /** Since when no request has succeeded. */
  #failingSince: number | undefined;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  /** Pauses since the last batch that was accepted. */
  #pauses = 0;
  /** What was sent until here was in flight together when the service was found wanting. */
  #noticedAt = Number.NEGATIVE_INFINITY;
  /** Why it makes no sense to continue, once it doesn't. */
  gaveUp: string | undefined;
  /** What went wrong last, as half a sentence. */
  trouble = '';

  /** @param random gives numbers from 0 up to 1 */
  constructor(settings: PacingSettings, random: () => number) {
    this.#settings = settings;
    this.#random = random;
    this.#limit = settings.rate ?? Number.POSITIVE_INFINITY;
    if (settings.concurrency === 'auto') this.#adaptive = new AdaptiveConcurrency();
  }

  /** Whether as many requests are in flight as may be, of all who send by this pace. */
  get full(): boolean {
    return this.#inFlight >= (this.#adaptive?.limit ?? (this.#settings.concurrency as number));
  }

  /**
   * A round of sending begins; the one before it may be long over, or not yet. What was learned
   * stays, and so do pauses. But if nobody has sent meanwhile, the service has been heard of, as
   * reconciling asks it, and for how long nothing was sent says nothing.
   * @param wake to be called when more may go than was said before
   */
  begin(wake: () => void): void {
    if (this.#wakes.size === 0 && this.#inFlight <= 0) {
      this.gaveUp = undefined;
      this.#failingSince = undefined;
      this.#breaker.wentWell();
      this.#adaptive?.newWindow();
    }
    this.#wakes.add(wake);
  }

  /** That round is over. */
  end(wake: () => void): void {
    this.#wakes.delete(wake);
  }

  #wakeAll(): void {
    for (const wake of this.#wakes) wake();
  }

  /** Limits requests to so many a second, from the one after the next on. */
  limitRate(limit: number): void {
    this.#limit = limit;
  }

  /** What may be asked of the service now. */
  clearance(now: number): Clearance {
    const pausedMs = this.pausedFor(now);
    if (pausedMs > 0) return { kind: 'wait', ms: pausedMs };
    const clearance = this.#breaker.clearance(now);
    const ms = clearance.kind === 'send' ? this.#starts.waitMs(now) : 0;
    return ms > 0 ? { kind: 'wait', ms } : clearance;
  }

  /** A request starts: what it takes to make it is being done. */
  started(now: number): void {
    this.#inFlight += 1;
    this.#starts.take(now, this.#rate(now));
    this.#breaker.asks(now);
  }

  /**
   * A request that started is ready to be sent. Getting there takes some longer than others, so
   * that they would follow each other too closely.
   * @returns how long to hold it back, in milliseconds
   */
  ready(now: number): number {
    return Math.max(this.#sends.take(now, this.#rate(now)), this.pausedFor(now));
  }

  /** How long no request may go, in milliseconds: a pause may begin while one is held back. */
  pausedFor(now: number): number {
    return Math.max(0, this.#pausedUntil - now);
  }

  /** A request that started isn't made after all. */
  skipped(): void {
    this.#breaker.asksNothing();
    this.#left();
  }

  /** The service is asked something harmless. */
  probing(now: number): void {
    this.#breaker.asks(now);
  }

  /** @param up whether it answered */
  probed(up: boolean, now: number): void {
    this.#breaker.probed(up, now, this.#random());
    if (!up) this.#failed(now, 'the service can not be reached');
    // Others wait for its answer, and who asked may have nothing left to send.
    this.#wakeAll();
  }

  /** Ends a request: it was answered, or never will be. */
  answered(sample: RequestSample): void {
    const { accepted, throttled, failed, sentAt, answeredAt: now } = sample;
    if (accepted) {
      this.#pauses = 0;
      this.#adaptive?.accepted(sample);
    }
    if (throttled || !failed) this.#cubic.answered(now, !throttled);
    if (failed) this.#breaker.failed(sentAt, now, this.#random());
    else this.#breaker.wentWell();
    if (throttled || failed) this.#failed(now, sample.message);
    else this.#failingSince = undefined;
    this.#slowDown(sample);
    this.#left();
  }

  #left(): void {
    this.#inFlight -= 1;
    this.#wakeAll();
  }

  #slowDown({ throttled, failed, unsent, sentAt, answeredAt, retryAfterMs = 0 }: RequestSample) {
    const now = answeredAt;
    if (retryAfterMs > 0) this.#leaveAlone(now, retryAfterMs);
    // What was in flight together is one sign, however many answers give it.
    if (sentAt <= this.#noticedAt || !(throttled || unsent)) return;
    this.#noticedAt = now;
    const isOverloaded = throttled && this.#cubic.isOverloaded(now);
    if (throttled && (failed || !isOverloaded)) this.#adaptive?.throttled();
    if (retryAfterMs === 0 && (isOverloaded || !throttled)) {
      this.#pause(now + backoffMs(this.#pauses, this.#random()));
      this.#pauses += 1;
    }
    if (throttled && (retryAfterMs > 0 || isOverloaded)) {
      this.#cubic.reduce(now, Math.max(now, this.#pausedUntil));
    }
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
    this.gaveUp ??= `no request has succeeded for more than ${seconds(maxOutageMs)}; the last one: ${message}`;
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

const FAILURES_TO_OPEN = 5;
const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;

/**
 * A circuit breaker: opens after five failures in a row. Half-open, there is one request at a time,
 * at most one a second, with exponential backoff: a probe, which leaves no document unconfirmed, and
 * once it is answered one batch. The first thing that goes well closes it. Time is in milliseconds.
 */
export class CircuitBreaker {
  #failures = 0;
  #open = false;
  /** Failures since it opened. */
  #rounds = 0;
  #nextAt = 0;
  /** When the last request went. */
  #askedAt = 0;
  #asking = false;
  /** The last probe was answered. */
  #up = false;

  clearance(now: number): Clearance {
    if (!this.#open) return { kind: 'send' };
    if (this.#asking) return { kind: 'wait', ms: Number.POSITIVE_INFINITY };
    if (now < this.#nextAt) return { kind: 'wait', ms: this.#nextAt - now };
    return { kind: this.#up ? 'send' : 'probe' };
  }

  /** A probe or a batch goes. */
  asks(now: number): void {
    this.#askedAt = now;
    this.#asking = this.#open;
  }

  /** What was to go doesn't. */
  asksNothing(): void {
    this.#asking = false;
  }

  /** @param random from 0 up to 1 */
  probed(up: boolean, now: number, random: number): void {
    if (!this.#open) return;
    if (!up) {
      this.#failHalfOpen(now, random);
      return;
    }
    this.#asking = false;
    this.#up = true;
    this.#nextAt = this.#askedAt + MIN_WAIT_MS;
  }

  /**
   * @param sentAt when the request that failed went
   * @param random from 0 up to 1
   */
  failed(sentAt: number, now: number, random: number): void {
    if (this.#open) {
      // What was in flight when it opened says nothing new.
      if (this.#asking && sentAt >= this.#askedAt) this.#failHalfOpen(now, random);
      return;
    }
    this.#failures += 1;
    if (this.#failures < FAILURES_TO_OPEN) return;
    this.#open = true;
    this.#rounds = 0;
    this.#failHalfOpen(now, random);
  }

  wentWell(): void {
    this.#failures = 0;
    this.#open = false;
    this.#asking = false;
  }

  #failHalfOpen(now: number, random: number): void {
    this.#asking = false;
    this.#up = false;
    this.#rounds += 1;
    const longest = Math.min(MAX_WAIT_MS, MIN_WAIT_MS * 2 ** this.#rounds);
    this.#nextAt = now + MIN_WAIT_MS + random * (longest - MIN_WAIT_MS);
  }
}
