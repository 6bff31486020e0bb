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
