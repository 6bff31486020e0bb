import { LocalPacing } from './local-pacing.js';
import type { Grant, Pace, WorkerReport } from './pace.js';
import type { Clearance, RequestSample } from './pacing.js';

/** How long a grant holds when no newer one comes. */
export const GRANT_MS = 3_000;
/** When to look again whether a grant still holds; shorter than a pause that a person is told of. */
const LOOK_AGAIN_MS = 1_000;
/** Samples that wait for the next report; beyond these, the oldest are dropped. */
const MAX_SAMPLES = 1_024;

/**
 * How one worker of many paces itself: by the grants of a leader, which it tells what came of its
 * requests. To pauses that the service asks for, and to a service that is down, it reacts by itself,
 * too, before the leader knows. Without a leader it continues with one request at a time, unless it
 * never heard of one.
 */
export class GrantedPacing extends LocalPacing {
  readonly #worker: string;
  readonly #random: () => number;
  readonly #urgent: () => void;
  #grant: Grant = { concurrency: 0, rate: null };
  #grantedUntil = Number.POSITIVE_INFINITY;
  #turn: number | null = null;
  /** Whether others are to ask whether the service is up again. */
  #othersProbe = false;
  #breaker: Pace['breaker'] = 'closed';
  #askedForPauseUntil = 0;
  #samples: RequestSample[] = [];
  #peak = 0;
  #started = 0;
  #rateBound = false;
  /** How often a request might have gone since the last one went. */
  #chances = 0;

  /**
   * @param worker its name in the leader's grants
   * @param random gives numbers from 0 up to 1
   * @param urgent is called when the leader should get a report at once
   */
  constructor(worker: string, random: () => number, urgent: () => void) {
    // When to give up is for the leader to say.
    super({ concurrency: 1, maxOutageMs: Number.POSITIVE_INFINITY }, random);
    this.#worker = worker;
    this.#random = random;
    this.#urgent = urgent;
  }

  /** The leader's pace arrives; one that came before changes nothing. */
  granted(pace: Pace, now: number): void {
    if (pace.turn === this.#turn) return;
    const grant = pace.grants[this.#worker];
    if (grant === undefined) return;
    this.#turn = pace.turn;
    this.pause(now + pace.pausedMs);
    const rate = this.rate(now);
    this.#grant = grant;
    this.rateChanged(now, rate, this.rate(now));
    this.#grantedUntil = now + GRANT_MS;
    if (pace.breaker === 'open') this.breaker.trip(now, this.#random());
    else if (this.#breaker === 'open') this.breaker.wentWell();
    this.#breaker = pace.breaker;
    this.#othersProbe = pace.breaker === 'open' && pace.prober !== this.#worker;
    this.gaveUp = pace.gaveUp ?? undefined;
    this.trouble = pace.trouble;
    this.wakeAll();
  }

  /** All that the leader has to know since the last report. */
  report(now: number): WorkerReport {
    const report: WorkerReport = {
      turn: this.#turn,
      active: this.active,
      inFlight: this.inFlight,
      peak: this.#peak,
      started: this.#started,
      rateBound: this.#rateBound,
      pausedMs: Math.max(0, this.#askedForPauseUntil - now),
      samples: this.#samples.map((sample) => sampleFrom(sample, -now)),
    };
    this.#samples = [];
    this.#peak = this.inFlight;
    this.#started = 0;
    return report;
  }

  override get concurrency(): number {
    return this.#grant.concurrency;
  }

  override rate(now: number): number {
    return Math.min(this.#grant.rate ?? Number.POSITIVE_INFINITY, super.rate(now));
  }

  /** Whether the service is down is for the leader to say. */
  override forget(): void {
    this.gaveUp = undefined;
  }

  override clearance(now: number): Clearance {
    if (now >= this.#grantedUntil) this.#continueAlone();
    const mayNot = this.concurrency === 0 || this.#othersProbe;
    if (mayNot && this.pausedFor(now) === 0) return { kind: 'wait', ms: LOOK_AGAIN_MS };
    const clearance = super.clearance(now);
    if (clearance.kind === 'send') this.#chances += 1;
    return clearance;
  }

  override started(now: number): void {
    super.started(now);
    this.#peak = Math.max(this.#peak, this.inFlight);
    this.#started += 1;
    this.#rateBound = this.#chances <= 1;
    this.#chances = 0;
  }

  override answered(sample: RequestSample): void {
    const { answeredAt: now, retryAfterMs = 0 } = sample;
    const wasOpen = this.open;
    super.answered(sample);
    this.#tell(sample);
    const pauses = now + retryAfterMs > Math.max(now, this.#askedForPauseUntil);
    if (pauses) this.#askedForPauseUntil = now + retryAfterMs;
    if (pauses || this.open !== wasOpen) this.#urgent();
  }

  override probed(up: boolean, now: number): void {
    super.probed(up, now);
    if (!up) this.#tell(failedProbe(now));
  }

  #tell(sample: RequestSample): void {
    this.#samples.push(sample);
    if (this.#samples.length > MAX_SAMPLES) this.#samples.shift();
  }

  #continueAlone(): void {
    this.#grant = { ...this.#grant, concurrency: 1 };
    this.#grantedUntil = Number.POSITIVE_INFINITY;
    this.#othersProbe = false;
  }
}

/** The same with times that count from another moment. */
export function sampleFrom(sample: RequestSample, ms: number): RequestSample {
  return { ...sample, sentAt: sample.sentAt + ms, answeredAt: sample.answeredAt + ms };
}

/** A probe is a request without documents. */
function failedProbe(now: number): RequestSample {
  return {
    documents: 0,
    sentAt: now,
    answeredAt: now,
    full: false,
    accepted: false,
    throttled: false,
    failed: true,
    unsent: false,
    retryAfterMs: undefined,
    message: 'the service can not be reached',
  };
}
