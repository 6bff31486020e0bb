/** A call took longer than it may. */
export class TimeoutError extends Error {}

/** What a timer of Node can wait for. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The end of one call: its timeout or the caller's abort, whichever comes first. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #caller: AbortSignal | undefined;
  readonly #ended: Promise<never>;

  /** @param timeoutMs counted from now */
  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#caller = caller;
    this.#timer = setTimeout(
      () => this.#end(new TimeoutError(`no whole answer within ${timeoutMs / 1000} s`)),
      Math.min(timeoutMs, MAX_TIMER_MS),
    );
    caller?.addEventListener('abort', this.#abort);
    const { signal } = this.#controller;
    this.#ended = new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    // Nobody need listen.
    this.#ended.catch(() => {});
  }

  /** Is aborted at the end. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Rejects at the end, even if the work hasn't noticed it yet. */
  within<T>(work: Promise<T>): Promise<T> {
    work.catch(() => {});
    return Promise.race([work, this.#ended]);
  }

  /** The call is over. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#abort);
  }

  readonly #abort = (): void => this.#end(new Error('the call was aborted'));

  #end(reason: Error): void {
    this.#controller.abort(reason);
  }
}
