/** Chunks in flight for each thread: one in work, one behind it, one whose turn has not come. */
const CHUNKS_PER_THREAD = 3;
/** Most bytes of chunks in flight; their documents take about twice as much again. */
const MAX_BYTES = 16 * 1024 * 1024;

interface Entry<T> {
  readonly bytes: number;
  readonly result: Promise<T>;
}

/**
 * What is in flight, in order: from when it is read until its result is taken. There is always
 * room for one.
 */
export class InFlight<T> {
  readonly #most: number;
  readonly #entries: Entry<T>[] = [];
  #bytes = 0;
  #ended = false;
  #error: unknown;
  #closed = false;
  #changed: () => void = () => {};
  #left: () => void = () => {};

  constructor(threads: number) {
    this.#most = threads * CHUNKS_PER_THREAD;
  }

  /** Waits until there is room. `false`: no more is wanted. */
  async room(): Promise<boolean> {
    while (!this.#closed && !this.#hasRoom()) {
      await new Promise<void>((resolve) => {
        this.#left = resolve;
      });
    }
    return !this.#closed;
  }

  #hasRoom(): boolean {
    const { length } = this.#entries;
    return length === 0 || (length < this.#most && this.#bytes < MAX_BYTES);
  }

  add(bytes: number, result: Promise<T>): void {
    // Whether anybody comes to take it is another matter.
    result.catch(() => {});
    this.#entries.push({ bytes, result });
    this.#bytes += bytes;
    this.#changed();
  }

  /** No more will come; an error is thrown behind the results of all that is in flight. */
  end(error?: unknown): void {
    this.#ended = true;
    this.#error ??= error;
    this.#changed();
  }

  /** The results in order, each as soon as all before it were taken. */
  async *results(): AsyncGenerator<T, void, undefined> {
    for (;;) {
      const [entry] = this.#entries;
      if (entry !== undefined) {
        const result = await entry.result;
        this.#entries.shift();
        this.#bytes -= entry.bytes;
        this.#left();
        yield result;
      } else if (this.#ended) {
        if (this.#error !== undefined) throw this.#error;
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#changed = resolve;
        });
      }
    }
  }

  /** Nobody takes results any more. */
  close(): void {
    this.#closed = true;
    this.#left();
  }
}
