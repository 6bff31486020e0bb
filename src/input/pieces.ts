import { DUE, FlushTimer } from '../model/flush-timer.js';
import { BrokenInput } from './raw-input.js';

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
  /** Whether more could have been looked at, but was slow to come. */
  readonly early?: boolean;
  /** Why it ends early, if reading failed. */
  readonly failure?: { readonly error: BrokenInput };
}

/**
 * Takes at least `wanted` bytes from the start of some pieces, if there are as many.
 * @param flushMs how long to wait for them once a record may be there; by default for ever
 */
export async function takeSample(
  pieces: AsyncIterable<Uint8Array>,
  wanted: number,
  flushMs: number = Number.POSITIVE_INFINITY,
): Promise<ByteSample> {
  const taken: Uint8Array[] = [];
  const sample = (more: Omit<ByteSample, 'bytes'>): ByteSample => ({
    bytes: Buffer.concat(taken),
    ...more,
  });
  const flush = new FlushTimer(flushMs);
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    for (let length = 0; length < wanted; ) {
      const next = iterator.next();
      let step = await flush.before(next);
      if (step === DUE && mayHoldRecord(Buffer.concat(taken))) {
        // What is still awaited is kept by whoever gives it.
        next.catch(() => {});
        iterator.return?.().catch(() => {});
        return sample({ whole: false, early: true });
      }
      if (step === DUE) step = await next;
      if (step.done) return sample({ whole: true });
      taken.push(Buffer.from(step.value));
      length += step.value.length;
      flush.start();
    }
    await iterator.return?.();
    return sample({ whole: false });
  } catch (error) {
    if (!(error instanceof BrokenInput)) throw error;
    return sample({ whole: false, failure: { error } });
  } finally {
    flush.stop();
  }
}

/** Whether a line of JSON has come, or a whole header with the line after it. */
function mayHoldRecord(start: Buffer): boolean {
  const [first = '', ...others] = start.toString('latin1').split(/\r\n|[\r\n]/);
  if (first.startsWith('{')) return others.length > 0;
  return others.length > 1 && first.split('"').length % 2 === 1;
}

/** Gathers the pieces of what is small. */
export async function gather(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return (await takeSample(pieces, Number.POSITIVE_INFINITY)).bytes;
}

/** Remembers the pieces of a stream that were looked at, as it can't be read twice. */
export class Replay {
  readonly #pieces: AsyncGenerator<Uint8Array, void, undefined>;
  readonly #seen: Uint8Array[] = [];
  #wasRead = false;
  /** The next piece, while it is awaited, or what was thrown instead of it. */
  #reading: Promise<boolean> | undefined;

  constructor(pieces: AsyncGenerator<Uint8Array, void, undefined>) {
    this.#pieces = pieces;
  }

  async *peek(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let at = 0; at < this.#seen.length || (await this.#readOn()); at += 1) {
      yield this.#seen[at] as Uint8Array;
    }
  }

  async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.#wasRead) throw new BrokenInput('it was read before', 'A stream can be read once.');
    this.#wasRead = true;
    try {
      while (this.#seen.length > 0 || this.#reading !== undefined) {
        const piece = this.#seen.shift();
        if (piece !== undefined) yield piece;
        else await this.#reading;
      }
      yield* this.#pieces;
    } finally {
      await this.#pieces.return();
    }
  }

  #readOn(): Promise<boolean> {
    this.#reading ??= this.#pieces.next().then(({ value, done }) => {
      this.#reading = undefined;
      if (!done) this.#seen.push(value);
      return !done;
    });
    return this.#reading;
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
