/** Watches for how long nothing has gone well. */
export class Outage {
  readonly #longestMs: number;
  #since: number | undefined;

  /** @param longestMs how long it may last */
  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  wentWell(): void {
    this.#since = undefined;
  }

  /** Something failed. Whether it has gone on for too long, so that waiting makes no sense. */
  failed(now: number): boolean {
    this.#since ??= now;
    return now - this.#since > this.#longestMs;
  }
}
