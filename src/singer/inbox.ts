import type { Line } from './lines.js';

/** What comes next: lines, or that there are none, that it is time, or that somebody has interrupted. */
export type Arrival = readonly Line[] | 'end' | 'due' | 'interrupted';

/** Waits for lines, and for no longer than it may. */
export class Inbox {
  readonly #lines: AsyncIterator<readonly Line[], void>;
  readonly #stop: AbortSignal;
  #reading = false;
  #arrived: { readonly step: IteratorResult<readonly Line[], void> } | undefined;
  #failure: { readonly error: unknown } | undefined;
  #wake: () => void = () => {};

  constructor(lines: AsyncIterable<readonly Line[], void>, stop: AbortSignal) {
    this.#lines = lines[Symbol.asyncIterator]();
    this.#stop = stop;
    stop.addEventListener('abort', () => this.#wake());
  }

  /**
   * @param dueMs how long to wait for lines, in milliseconds; default: until they come
   * @throws what reading throws
   */
  async next(dueMs?: number): Promise<Arrival> {
    if (this.#stop.aborted) return 'interrupted';
    this.#read();
    if (this.#arrived === undefined && this.#failure === undefined) await this.#sleep(dueMs);
    if (this.#stop.aborted) return 'interrupted';
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#arrived === undefined) return 'due';
    const { step } = this.#arrived;
    this.#arrived = undefined;
    return step.done ? 'end' : step.value;
  }

  /** Nothing more is wanted. Whoever writes is not waited for. */
  close(): void {
    void this.#lines.return?.()?.catch(() => {});
  }

  #read(): void {
    if (this.#reading || this.#arrived !== undefined) return;
    this.#reading = true;
    this.#lines
      .next()
      .then(
        (step) => {
          this.#arrived = { step };
        },
        (error: unknown) => {
          this.#failure = { error };
        },
      )
      .finally(() => {
        this.#reading = false;
        this.#wake();
      });
  }

  async #sleep(dueMs: number | undefined): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (dueMs !== undefined) timer = setTimeout(resolve, Math.max(0, dueMs));
    });
    clearTimeout(timer);
  }
}
