import type { Judgement } from '../judge-answer.js';
import type { DeliverySettings } from '../port.js';
import { backOffMs } from './back-off.js';
import { Breaker, type Leave } from './breaker.js';
import { LearnedRate } from './learned-rate.js';
import { Outage } from './outage.js';
import { AutoPace, fixedPace, type Pace } from './pace.js';
import { RateLimit } from './rate-limit.js';

/** A request that was answered, or will never be. Times are in milliseconds since 1970. */
export interface Answered {
  readonly documents: number;
  readonly sentAt: number;
  readonly answeredAt: number;
  /** Whether as many requests were under way as are allowed. */
  readonly full: boolean;
}

/** Decides when the next request may go, from what came of those before it. */
export class Traffic {
  readonly #settings: DeliverySettings;
  readonly #random: () => number;
  readonly #pace: Pace;
  readonly #learned = new LearnedRate();
  readonly #starts = new RateLimit();
  readonly #sends = new RateLimit();
  readonly #breaker = new Breaker();
  readonly #outage: Outage;
  #pausedUntil = 0;
  /** Pauses since the last batch that was accepted. */
  #pauses = 0;
  /** What was sent until here was under way together when the service was found wanting. */
  #noticedAt = Number.NEGATIVE_INFINITY;
  #gaveUp: string | undefined;
  #trouble = '';

  /** @param random gives numbers from 0 up to 1 */
  constructor(settings: DeliverySettings, random: () => number) {
    this.#settings = settings;
    this.#random = random;
    this.#pace = settings.concurrency === 'auto' ? new AutoPace() : fixedPace(settings.concurrency);
    this.#outage = new Outage(settings.maxOutageMs);
  }

  /** How many requests may be under way. */
  get limit(): number {
    return this.#pace.limit;
  }

  /** Why it makes no sense to go on, once it doesn't. */
  get gaveUp(): string | undefined {
    return this.#gaveUp;
  }

  /** What went wrong last, as half a sentence. */
  get trouble(): string {
    return this.#trouble;
  }

  leave(now: number): Leave {
    if (now < this.#pausedUntil) return { kind: 'wait', ms: this.#pausedUntil - now };
    const leave = this.#breaker.leave(now);
    const ms = leave.kind === 'send' ? this.#starts.waitMs(now) : 0;
    return ms > 0 ? { kind: 'wait', ms } : leave;
  }

  /** A request starts: what it takes to make it is under way. */
  starts(now: number): void {
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

  pausedFor(now: number): number {
    return Math.max(0, this.#pausedUntil - now);
  }

  probes(now: number): void {
    this.#breaker.asks(now);
  }

  probed(up: boolean, now: number): void {
    this.#breaker.probed(up, now, this.#random());
    if (!up) this.#failed(now, 'the service can not be reached');
  }

  /** Learns from what came of a request. */
  answered(judgement: Judgement, answered: Answered): void {
    const { verdict, pressed, failed, comeBackMs = 0 } = judgement;
    const { sentAt, answeredAt: now } = answered;
    if (verdict.kind === 'accepted') {
      this.#pauses = 0;
      this.#pace.accepted(answered, answered.full);
    }
    if (pressed || !failed) this.#learned.answered(now, !pressed);
    if (failed) this.#breaker.failed(sentAt, now, this.#random());
    else this.#breaker.wentWell();
    if (pressed || failed) this.#failed(now, 'message' in verdict ? verdict.message : '');
    else this.#outage.wentWell();
    if (comeBackMs > 0) this.#comeBack(now, comeBackMs);
    // What was under way together is one sign, however many answers give it.
    if (sentAt <= this.#noticedAt) return;
    if (pressed) this.#slowDown(judgement, answered);
    else if (verdict.kind === 'unsent') this.#backOff(now);
  }

  #slowDown({ failed, comeBackMs = 0 }: Judgement, { sentAt, answeredAt: now }: Answered): void {
    this.#noticedAt = now;
    const growing = this.#learned.growing(now);
    const overloaded = this.#learned.overloaded(now);
    // Where more was tried than is known to be taken, that was the reason, not how many at a time.
    if (failed || !growing || !this.#learned.known) this.#pace.pressed();
    // A refusal now and then is no reason to stop for those that are taken.
    if (comeBackMs === 0 && !overloaded && !growing) return;
    if (comeBackMs === 0 && overloaded) this.#backOff(now);
    this.#learned.reached(sentAt, now, Math.max(now, this.#pausedUntil));
  }

  #backOff(now: number): void {
    this.#noticedAt = now;
    this.#pause(now + backOffMs(this.#pauses, this.#random()));
    this.#pauses += 1;
  }

  #comeBack(now: number, ms: number): void {
    this.#pause(now + ms);
    if (ms <= this.#settings.maxOutageMs) return;
    this.#gaveUp ??= `the service asks to be left alone for ${seconds(ms)}, and it may be down for ${seconds(this.#settings.maxOutageMs)} at most: what is unsent can be sent after that`;
  }

  #failed(now: number, message: string): void {
    this.#trouble = message;
    if (!this.#outage.failed(now)) return;
    this.#gaveUp ??= `nothing has gone well for more than ${seconds(this.#settings.maxOutageMs)}; the last: ${message}`;
  }

  #pause(until: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
  }

  #rate(now: number): number {
    return Math.min(this.#settings.rate ?? Number.POSITIVE_INFINITY, this.#learned.at(now));
  }
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
