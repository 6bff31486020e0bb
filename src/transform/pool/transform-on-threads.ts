import type { Chunk } from '../../model/chunk.js';
import type { SurveyedChunk } from '../compile-transform.js';
import type { TransformPlan } from '../transform-record.js';
import type { CrossingChunk } from './run-transform.js';
import { type ThreadKind, TransformThread } from './transform-thread.js';

export interface Threads {
  /** Maximum number of worker threads. */
  readonly threads: number;
  /** Stops everything at once; its reason becomes the error. */
  readonly signal: AbortSignal;
  /** Existing threads to use; by default, threads are started and stopped with the call. */
  readonly pool?: ThreadPool | undefined;
}

/**
 * Transforms chunks on worker threads, in order. Reads ahead until {@link CHUNKS_PER_THREAD} or
 * {@link MAX_BYTES} are in flight, and no further until a result is taken.
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
  const ahead = new ReadAhead(chunks, (chunk) => pool.transform(chunk, plan), threads);
  const abort = (): void => {
    ahead.end(signal.reason);
    void stop(signal.reason);
  };
  signal.addEventListener('abort', abort);
  try {
    yield* ahead.results();
  } finally {
    signal.removeEventListener('abort', abort);
    ahead.end();
    await stop(NOT_WANTED);
  }
}

const NOT_WANTED = new Error('The results are not wanted any more.');

/**
 * Chunks in flight per thread: one running, one queued for it, one finished and waiting for its
 * turn.
 */
const CHUNKS_PER_THREAD = 3;
/** Largest number of bytes of chunks in flight; their documents take about twice as much again. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Chunks in flight, in order: from being read until their result is taken. */
class ReadAhead {
  readonly #chunks: AsyncIterator<Chunk>;
  readonly #transform: (chunk: CrossingChunk) => Promise<SurveyedChunk>;
  readonly #max: number;
  readonly #inFlight: { readonly bytes: number; readonly result: Promise<SurveyedChunk> }[] = [];
  #bytes = 0;
  #isReading = false;
  #ended = false;
  #error: unknown;
  #changed: () => void = () => {};

  constructor(
    chunks: AsyncIterator<Chunk>,
    transform: (chunk: CrossingChunk) => Promise<SurveyedChunk>,
    threads: number,
  ) {
    this.#chunks = chunks;
    this.#transform = transform;
    this.#max = threads * CHUNKS_PER_THREAD;
  }

  async *results(): AsyncGenerator<SurveyedChunk, void, undefined> {
    for (;;) {
      this.#read();
      const [first] = this.#inFlight;
      if (first !== undefined) {
        const result = await first.result;
        this.#inFlight.shift();
        this.#bytes -= first.bytes;
        this.#read();
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

  /** Stops reading; an error is thrown after all results in flight. */
  end(error?: unknown): void {
    this.#ended = true;
    this.#error ??= error;
    this.#changed();
  }

  /** Reads in the background while there is room; one chunk is always allowed. Never throws. */
  async #read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (!this.#ended && this.#hasRoom()) {
        const step = await this.#chunks.next();
        if (step.done) this.end();
        else if (!this.#ended) this.#add(step.value);
      }
    } catch (error) {
      this.end(error);
    }
    this.#isReading = false;
  }

  #hasRoom(): boolean {
    const { length } = this.#inFlight;
    return length === 0 || (length < this.#max && this.#bytes < MAX_BYTES);
  }

  #add(chunk: Chunk): void {
    if (chunk.kind === 'objects') throw new Error('Objects do not cross to another thread.');
    // Sending transfers the bytes, so take their length before.
    const { byteLength: bytes } = chunk.bytes;
    const result = this.#transform(chunk);
    // Prevents an unhandled rejection if the result is never taken.
    result.catch(() => {});
    this.#inFlight.push({ bytes, result });
    this.#bytes += bytes;
    this.#changed();
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
