/** Marks that what was gathered has waited long enough. */
export const DUE = Symbol('due');

/** Limits how long something may wait that is gathered from a source that may be slow. */
export class FlushTimer {
  readonly #ms: number;
  #timer: NodeJS.Timeout | undefined;
  #due: Promise<typeof DUE> | undefined;

  /** @param ms how long the first of what is gathered may wait; infinite: for ever */
  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Starts the deadline, unless it runs already. */
  start(): void {
    if (this.#due !== undefined || this.#ms === Number.POSITIVE_INFINITY) return;
    this.#due = new Promise((resolve) => {
      this.#timer = setTimeout(resolve, this.#ms, DUE);
    });
  }

  /** Stops the deadline. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#due = undefined;
  }

  /** The next item, or `DUE` if the deadline passes first. */
  before<T>(next: Promise<T>): Promise<T | typeof DUE> {
    return this.#due === undefined ? next : Promise.race([next, this.#due]);
  }
}
