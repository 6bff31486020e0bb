import type { Clearance } from './pacing.js';

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
  /** When the last request went while open. */
  #askedAt = 0;
  #asking = false;
  /** The last probe was answered. */
  #up = false;

  get open(): boolean {
    return this.#open;
  }

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
    if (this.#failures >= FAILURES_TO_OPEN) this.trip(now, random);
  }

  /**
   * Opens it, unless it is open.
   * @param random from 0 up to 1
   */
  trip(now: number, random: number): void {
    if (this.#open) return;
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
