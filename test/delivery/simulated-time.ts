import type { Clock } from '../../src/delivery/clock.js';

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/** Time that passes at once: whenever all that runs waits, it is the next sleeper's time. */
export class SimulatedTime implements Clock {
  #now: number;
  #state: number;
  readonly #sleepers = new Set<Sleeper>();

  /** @param seed of the chances */
  constructor(seed = 1, startsAt = Date.UTC(2026, 0, 1)) {
    this.#now = startsAt;
    this.#state = seed >>> 0;
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const sleeper: Sleeper = {
        until: this.#now + Math.max(0, ms),
        wake: () => {
          this.#sleepers.delete(sleeper);
          signal?.removeEventListener('abort', sleeper.wake);
          resolve();
        },
      };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', sleeper.wake);
    });
  }

  /** mulberry32 */
  readonly random = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };

  /** Lets time pass until the promise is settled. */
  async pass<T>(promise: Promise<T>): Promise<T> {
    let settled = false;
    const settle = () => {
      settled = true;
    };
    promise.then(settle, settle);
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (settled) return promise;
      const next = this.#next();
      if (next === undefined) throw new Error('everything waits, and nothing will ever happen');
      this.#now = next.until;
      next.wake();
    }
  }

  #next(): Sleeper | undefined {
    let next: Sleeper | undefined;
    for (const sleeper of this.#sleepers) {
      if (next === undefined || sleeper.until < next.until) next = sleeper;
    }
    return next;
  }
}
