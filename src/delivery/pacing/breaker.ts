const FAILURES_TO_OPEN = 5;
const SHORTEST_MS = 1_000;
const LONGEST_MS = 30_000;

/** What may be asked of the service now. */
export type Leave =
  | { readonly kind: 'send' }
  | { readonly kind: 'probe' }
  /** Milliseconds; infinite: until what is under way is answered. */
  | { readonly kind: 'wait'; readonly ms: number };

/**
 * Stops sending after five failures in a row. From then on there is one request at a time, at most
 * one a second and ever fewer: a probe, which puts no document in doubt, and once it is answered
 * one batch. The first thing that goes well closes it. Time is given in milliseconds.
 */
export class Breaker {
  #failures = 0;
  #openedAt: number | undefined;
  /** Failures since it opened. */
  #rounds = 0;
  #nextAt = 0;
  /** When the last request went while open. */
  #askedAt = 0;
  #asking = false;
  /** The last probe was answered. */
  #up = false;

  get open(): boolean {
    return this.#openedAt !== undefined;
  }

  leave(now: number): Leave {
    if (!this.open) return { kind: 'send' };
    if (this.#asking) return { kind: 'wait', ms: Number.POSITIVE_INFINITY };
    if (now < this.#nextAt) return { kind: 'wait', ms: this.#nextAt - now };
    return { kind: this.#up ? 'send' : 'probe' };
  }

  /** A probe or a batch goes. */
  asks(now: number): void {
    this.#askedAt = now;
    this.#asking = this.open;
  }

  /** @param random from 0 up to 1 */
  probed(up: boolean, now: number, random: number): void {
    if (!this.open) return;
    this.#asking = false;
    this.#up = up;
    if (up) this.#nextAt = this.#askedAt + SHORTEST_MS;
    else this.#wait(now, random);
  }

  /**
   * @param sentAt when the request that failed went
   * @param random from 0 up to 1
   */
  failed(sentAt: number, now: number, random: number): void {
    if (this.#openedAt !== undefined) {
      // What was under way when it opened says nothing new.
      if (sentAt < this.#askedAt || !this.#asking) return;
      this.#asking = false;
      this.#up = false;
      this.#wait(now, random);
      return;
    }
    this.#failures += 1;
    if (this.#failures < FAILURES_TO_OPEN) return;
    this.#openedAt = now;
    this.#asking = false;
    this.#up = false;
    this.#rounds = 0;
    this.#wait(now, random);
  }

  wentWell(): void {
    this.#failures = 0;
    this.#openedAt = undefined;
    this.#asking = false;
  }

  #wait(now: number, random: number): void {
    this.#rounds += 1;
    const longest = Math.min(LONGEST_MS, SHORTEST_MS * 2 ** this.#rounds);
    this.#nextAt = now + SHORTEST_MS + random * (longest - SHORTEST_MS);
  }
}
