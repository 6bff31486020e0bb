import { DUE, FlushTimer } from '../model/flush-timer.js';
import { BrokenInput } from './broken-input.js';

/**
 * Yields items until the signal is aborted, then throws its reason at once, even if the next item
 * never comes.
 * @param close releases resources without waiting
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
    // After an abort the iterator may never respond.
    const closed = Promise.resolve(iterator.return?.()).catch(() => {});
    if (!signal?.aborted) await closed;
  }
}

/** Awaits a promise, but throws the signal's reason as soon as it is aborted. */
export async function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return await promise;
  // If it loses the race, its rejection is unhandled otherwise.
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

export interface ByteSample {
  readonly bytes: Buffer;
  /** Whether the sample is the whole source. */
  readonly whole: boolean;
  /** Whether sampling stopped before `wanted` bytes because the source was slow. */
  readonly early?: boolean;
  /** Read error after the sample. */
  readonly failure?: { readonly error: BrokenInput };
}

/**
 * Reads at least `wanted` bytes from the start, or all if there are fewer.
 * @param flushMs longest wait once a record may be complete; by default no limit
 */
export async function takeSample(
  pieces: AsyncIterable<Uint8Array>,
  wanted: number,
  flushMs: number = Number.POSITIVE_INFINITY,
): Promise<ByteSample> {
  const collected: Uint8Array[] = [];
  const sample = (more: Omit<ByteSample, 'bytes'>): ByteSample => ({
    bytes: Buffer.concat(collected),
    ...more,
  });
  const flush = new FlushTimer(flushMs);
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    for (let length = 0; length < wanted; ) {
      const next = iterator.next();
      let step = await flush.before(next);
      if (step === DUE && mayHoldRecord(Buffer.concat(collected))) {
        // The peeked stream buffers the pending piece itself.
        next.catch(() => {});
        iterator.return?.().catch(() => {});
        return sample({ whole: false, early: true });
      }
      if (step === DUE) step = await next;
      if (step.done) return sample({ whole: true });
      collected.push(Buffer.from(step.value));
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

/** Returns whether there is a line of JSON, or a complete header and the line after it. */
function mayHoldRecord(start: Buffer): boolean {
  const [first = '', ...others] = start.toString('latin1').split(/\r\n|[\r\n]/);
  if (first.startsWith('{')) return others.length > 0;
  return others.length > 1 && first.split('"').length % 2 === 1;
}

/** Concatenates small content. */
export async function readAll(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return (await takeSample(pieces, Number.POSITIVE_INFINITY)).bytes;
}

/** Buffers the pieces of a stream while they are peeked at, so that they can be read afterwards. */
export class PeekableStream {
  readonly #pieces: AsyncGenerator<Uint8Array, void, undefined>;
  readonly #seen: Uint8Array[] = [];
  #wasRead = false;
  /** Pending read, or its rejection. */
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
    if (this.#wasRead)
      throw new BrokenInput('it was read before', 'A stream can be read only once.');
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

/** Passes pieces through and reports the size of each. */
export async function* countingBytes(
  pieces: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of pieces) {
    onBytes(piece.length);
    yield piece;
  }
}
