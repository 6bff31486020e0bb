import type { Chunk } from '../../model/chunk.js';
import type { SurveyedChunk } from '../compile-transform.js';
import type { TransformPlan } from '../transform-record.js';
import type { CrossingChunk } from './run-transform.js';
import { type ThreadKind, TransformThread } from './transform-thread.js';

export interface Threads {
  readonly threads: number;
  /** Stops everything at once; its reason becomes the error. */
  readonly signal: AbortSignal;
  /** Existing threads to use; by default, threads are started and stopped with the call. */
  readonly pool?: ThreadPool | undefined;
}

/**
 * Transforms chunks on worker threads, in order. Reads ahead as far as {@link InFlight} allows, and
 * no further until a result is taken.
 * @throws errors of reading, after the results of all chunks before; ThreadDiedError likewise
 */
export async function* transformOnThreads(
  chunks: AsyncIterator<Chunk>,
  plan: TransformPlan,
  { threads, signal, pool: sharedPool }: Threads,
  kind?: ThreadKind,
): AsyncGenerator<SurveyedChunk, void, undefined> {
  const pool = sharedPool ?? new ThreadPool(threads, kind);
  const stop = async (reason: unknown): Promise<void> => {
    if (pool !== sharedPool) await pool.stop(reason);
  };
  const inFlight = new InFlight<SurveyedChunk>(threads);
  const abort = (): void => {
    inFlight.end(signal.reason);
    void stop(signal.reason);
  };
  signal.addEventListener('abort', abort);
  readAhead(chunks, plan, pool, inFlight);
  try {
    yield* inFlight.results();
  } finally {
    signal.removeEventListener('abort', abort);
    inFlight.close();
    await stop(NOT_WANTED);
  }
}

const NOT_WANTED = new Error('The results are not wanted any more.');

/**
 * Reads in the background until the source ends or the results are no longer wanted. Never throws.
 */
async function readAhead(
  chunks: AsyncIterator<Chunk>,
  plan: TransformPlan,
  pool: ThreadPool,
  inFlight: InFlight<SurveyedChunk>,
): Promise<void> {
  try {
    while (await inFlight.room()) {
      const step = await chunks.next();
      if (step.done) return inFlight.end();
      const chunk = step.value;
      if (chunk.kind === 'objects') throw new Error('Objects do not cross to another thread.');
      // Sending transfers the bytes, so take their length before.
      const { byteLength } = chunk.bytes;
      inFlight.add(byteLength, pool.transform(chunk, plan));
    }
  } catch (error) {
    inFlight.end(error);
  }
}

/** Pool of transform threads; each starts on demand, unless `start` was called. */
export class ThreadPool {
  readonly #max: number;
  readonly #kind: ThreadKind | undefined;
  readonly #threads: TransformThread[] = [];

  constructor(max: number, kind?: ThreadKind) {
    this.#max = max;
    this.#kind = kind;
  }

  start(): void {
    while (this.#threads.length < this.#max) this.#startOne();
  }

  /**
   * Transforms a chunk, whose bytes are transferred. Rejects with the thread's error or the reason
   * of its death.
   */
  transform(chunk: CrossingChunk, plan: TransformPlan): Promise<SurveyedChunk> {
    return this.#leastBusy().transform(chunk, plan);
  }

  /** Stops all threads at once; pending chunks are rejected with the reason. */
  async stop(reason: unknown = NOT_WANTED): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.stop(reason)));
  }

  /** Stops all threads, which must be idle; others start when there is work again. */
  async rest(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map((thread) => thread.stop(NOT_WANTED)));
  }

  #leastBusy(): TransformThread {
    const [leastBusy] = this.#threads.toSorted((a, b) => a.load - b.load);
    if (leastBusy !== undefined && (leastBusy.load === 0 || this.#threads.length === this.#max)) {
      return leastBusy;
    }
    return this.#startOne();
  }

  #startOne(): TransformThread {
    const thread = new TransformThread(this.#kind);
    this.#threads.push(thread);
    return thread;
  }
}

/**
 * Chunks in flight per thread: one running, one queued for it, one finished and waiting for its
 * turn.
 */
const CHUNKS_PER_THREAD = 3;
/** Largest number of bytes of chunks in flight; their documents take about twice as much again. */
const MAX_BYTES = 16 * 1024 * 1024;

interface Entry<T> {
  readonly bytes: number;
  readonly result: Promise<T>;
}

/**
 * Queue of chunks in flight, in order: from being read until their result is taken. One chunk is
 * always allowed.
 */
class InFlight<T> {
  readonly #max: number;
  readonly #entries: Entry<T>[] = [];
  #bytes = 0;
  #ended = false;
  #error: unknown;
  #closed = false;
  #changed: () => void = () => {};
  #roomFreed: () => void = () => {};

  constructor(threads: number) {
    this.#max = threads * CHUNKS_PER_THREAD;
  }

  /** Waits until another chunk is allowed. Returns `false` if no more is wanted. */
  async room(): Promise<boolean> {
    while (!this.#closed && !this.#hasRoom()) {
      await new Promise<void>((resolve) => {
        this.#roomFreed = resolve;
      });
    }
    return !this.#closed;
  }

  #hasRoom(): boolean {
    const { length } = this.#entries;
    return length === 0 || (length < this.#max && this.#bytes < MAX_BYTES);
  }

  add(bytes: number, result: Promise<T>): void {
    // Prevents an unhandled rejection if the result is never taken.
    result.catch(() => {});
    this.#entries.push({ bytes, result });
    this.#bytes += bytes;
    this.#changed();
  }

  /** Marks the end of the source; an error is thrown after all results in flight. */
  end(error?: unknown): void {
    this.#ended = true;
    this.#error ??= error;
    this.#changed();
  }

  async *results(): AsyncGenerator<T, void, undefined> {
    for (;;) {
      const [entry] = this.#entries;
      if (entry !== undefined) {
        const result = await entry.result;
        this.#entries.shift();
        this.#bytes -= entry.bytes;
        this.#roomFreed();
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

  /** Stops reading: results are no longer wanted. */
  close(): void {
    this.#closed = true;
    this.#roomFreed();
  }
}
