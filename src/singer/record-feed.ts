/** Records that may wait to be read: as many as a run takes at a time. */
const MAX_WAITING = 500;

/**
 * Hands records over to a run as it reads them. Who gives them waits while enough are waiting, until
 * the feed ends, is left, or the signal says that there is no time.
 */
export class RecordFeed implements AsyncIterable<object> {
  readonly #hurry: AbortSignal;
  #waiting: object[] = [];
  #at = 0;
  #ended = false;
  #left = false;
  #asked = 0;
  #wakeReader: () => void = () => {};
  #wakeGiver: () => void = () => {};
  #flow: () => void = () => {};
  /** Resolves once a run reads more than the first record, which it does when it has begun; or has left. */
  readonly flowing: Promise<void> = new Promise((resolve) => {
    this.#flow = resolve;
  });

  /** @param hurry aborted: nobody waits any more until there is room */
  constructor(hurry: AbortSignal) {
    this.#hurry = hurry;
    hurry.addEventListener('abort', this.#hurryUp);
  }

  /** Whether there are no more to come. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Gives a record; resolves when there is room for the next. What comes after it was left is lost. */
  async give(record: object): Promise<void> {
    if (this.#left) return;
    this.#waiting.push(record);
    this.#wakeReader();
    if (this.#hasRoom()) return;
    await new Promise<void>((resolve) => {
      this.#wakeGiver = resolve;
    });
  }

  /** There are no more. */
  end(): void {
    this.#ended = true;
    this.#hurry.removeEventListener('abort', this.#hurryUp);
    this.#wakeReader();
  }

  /** Nobody will read it any more. */
  leave(): void {
    this.#left = true;
    this.#hurry.removeEventListener('abort', this.#hurryUp);
    this.#waiting = [];
    this.#at = 0;
    this.#flow();
    this.#wakeGiver();
    this.#wakeReader();
  }

  [Symbol.asyncIterator](): AsyncIterator<object, void> {
    return {
      next: async () => await this.#next(),
      return: async () => {
        this.leave();
        return { done: true, value: undefined };
      },
    };
  }

  readonly #hurryUp = (): void => this.#wakeGiver();

  async #next(): Promise<IteratorResult<object, void>> {
    this.#asked += 1;
    if (this.#asked > 1) this.#flow();
    while (this.#at === this.#waiting.length) {
      if (this.#ended || this.#left) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
    const value = this.#waiting[this.#at] as object;
    this.#at += 1;
    if (this.#at === this.#waiting.length) {
      this.#waiting = [];
      this.#at = 0;
      this.#wakeGiver();
    }
    return { done: false, value };
  }

  #hasRoom(): boolean {
    return this.#waiting.length - this.#at < MAX_WAITING || this.#left || this.#hurry.aborted;
  }
}
