import { BrokenInput } from './broken-input.js';

/**
 * The items of an iterable, until a signal is aborted: then its reason is thrown at once, even if
 * the next item never comes.
 * @param close releases what is open, without waiting
 */
export async function* abortable<T>(
  items: AsyncIterable<T>,
  close: () => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await untilAborted(iterator.next(), signal);
      if (step.done) return;
      yield step.value;
    }
  } finally {
    close();
    // After an abort the iterator may be busy for ever.
    const closed = Promise.resolve(iterator.return?.()).catch(() => {});
    if (!signal?.aborted) await closed;
  }
}

/** Waits for a promise, at most until a signal is aborted: then throws its reason at once. */
export async function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return await promise;
  // If it loses the race, nobody waits for it any more.
  promise.catch(() => {});
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop);
  }
}

/** The start of a source. */
export interface ByteSample {
  readonly bytes: Buffer;
  /** Whether that is all of it. */
  readonly whole: boolean;
  /** Why it ends early, if reading failed. */
  readonly failure?: { readonly error: BrokenInput };
}

/** Takes at least `wanted` bytes from the start of some pieces, if there are as many. */
export async function takeSample(
  pieces: AsyncIterable<Uint8Array>,
  wanted: number,
): Promise<ByteSample> {
  const taken: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of pieces) {
      taken.push(Buffer.from(piece));
      length += piece.length;
      if (length >= wanted) return { bytes: Buffer.concat(taken), whole: false };
    }
  } catch (error) {
    if (!(error instanceof BrokenInput)) throw error;
    return { bytes: Buffer.concat(taken), whole: false, failure: { error } };
  }
  return { bytes: Buffer.concat(taken), whole: true };
}

/** Gathers the pieces of what is small. */
export async function gather(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return (await takeSample(pieces, Number.POSITIVE_INFINITY)).bytes;
}

/** Remembers the pieces of a stream that were looked at, as it can't be read twice. */
export class Replay {
  readonly #pieces: AsyncGenerator<Uint8Array, void, undefined>;
  #seen: Uint8Array[] = [];
  #wasRead = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(pieces: AsyncGenerator<Uint8Array, void, undefined>) {
    this.#pieces = pieces;
  }

  async *peek(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let at = 0; ; at += 1) {
      if (at === this.#seen.length && !(await this.#see())) return;
      yield this.#seen[at] as Uint8Array;
    }
  }

  async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.#wasRead) throw new BrokenInput('it was read before', 'A stream can be read once.');
    this.#wasRead = true;
    const seen = this.#seen;
    this.#seen = [];
    try {
      for (let piece = seen.shift(); piece !== undefined; piece = seen.shift()) yield piece;
      if (this.#failure !== undefined) throw this.#failure.error;
      yield* this.#pieces;
    } finally {
      await this.#pieces.return();
    }
  }

  async #see(): Promise<boolean> {
    if (this.#failure !== undefined) throw this.#failure.error;
    try {
      const { value, done } = await this.#pieces.next();
      if (!done) this.#seen.push(value);
      return !done;
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }
}

/** The same pieces; each is told of before it is handed on. */
export async function* passing(
  pieces: AsyncIterable<Uint8Array>,
  tell: (bytes: number) => void = () => {},
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of pieces) {
    tell(piece.length);
    yield piece;
  }
}
