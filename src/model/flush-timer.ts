/** Longest wait of Node's timers, in milliseconds; longer ones fire at once. */
export const MAX_TIMER_MS: number = 2 ** 31 - 1;

/** Result of {@link FlushTimer.before} when the deadline passes first. */
export const DUE = Symbol('due');

/** Limits how long items wait while more are collected from a slow source. */
export class FlushTimer {
  readonly #ms: number;
  #timer: NodeJS.Timeout | undefined;
  #due: Promise<typeof DUE> | undefined;

  /** @param ms how long the first item may wait; infinite for no limit */
  constructor(ms: number) {
    this.#ms = ms;
  }

  start(): void {
    if (this.#due !== undefined || this.#ms === Number.POSITIVE_INFINITY) return;
    this.#due = new Promise((resolve) => {
      this.#timer = setTimeout(resolve, this.#ms, DUE);
    });
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#due = undefined;
  }

  /** Waits for the next item; returns `DUE` if the deadline passes first. */
  before<T>(next: Promise<T>): Promise<T | typeof DUE> {
    return this.#due === undefined ? next : Promise.race([next, this.#due]);
  }
}
