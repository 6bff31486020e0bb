/** What has waited long enough is to be handed on. */
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

  /** Something waits from now on, unless something does already. */
  start(): void {
    if (this.#due !== undefined || this.#ms === Number.POSITIVE_INFINITY) return;
    this.#due = new Promise((resolve) => {
      this.#timer = setTimeout(resolve, this.#ms, DUE);
    });
  }

  /** Nothing waits any more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#due = undefined;
  }

  /** What comes next, or `DUE` once what waits has waited long enough. */
  before<T>(next: Promise<T>): Promise<T | typeof DUE> {
    return this.#due === undefined ? next : Promise.race([next, this.#due]);
  }
}
