import type { Chunk } from '../../model/chunk.js';
import type { SurveyedChunk } from '../compile-transform.js';
import type { TransformPlan } from '../transform-record.js';
import type { CrossingChunk } from './run-transform.js';
import { type ThreadKind, TransformThread } from './transform-thread.js';

/** How many threads, and what ends them. */
export interface Threads {
  /** How many there may be, at least 1. */
  readonly threads: number;
  /** Ends everything at once, with its reason as the error. */
  readonly signal: AbortSignal;
  /** Threads that are running, and go on running; by default, threads are started and stopped with the call. */
  readonly pool?: ThreadPool | undefined;
}

/**
 * Transforms chunks on worker threads; the results come in the order of the chunks. Reads ahead as
 * far as {@link InFlight} has room, and no further until a result is taken.
 * @throws what reading throws, after the results of all chunks before; ThreadDiedError likewise
 */
export async function* transformOnThreads(
  chunks: AsyncIterator<Chunk>,
  plan: TransformPlan,
  { threads, signal, pool: kept }: Threads,
  kind?: ThreadKind,
): AsyncGenerator<SurveyedChunk, void, undefined> {
  const pool = kept ?? new ThreadPool(threads, kind);
  const stop = async (reason: unknown): Promise<void> => {
    if (pool !== kept) await pool.stop(reason);
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

/** Goes on by itself until all is read or nobody asks for results any more. Never throws. */
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
      // Once it is on its way, a chunk has no bytes here.
      const { byteLength } = chunk.bytes;
      inFlight.add(byteLength, pool.transform(chunk, plan));
    }
  } catch (error) {
    inFlight.end(error);
  }
}

/** Threads that transform. Each starts when there is work for it, unless all have been started. */
export class ThreadPool {
  readonly #most: number;
  readonly #kind: ThreadKind | undefined;
  readonly #threads: TransformThread[] = [];

  /** @param most how many threads there may be, at least 1 */
  constructor(most: number, kind?: ThreadKind) {
    this.#most = most;
    this.#kind = kind;
  }

  /** Starts all threads, whatever they will be asked for. */
  start(): void {
    while (this.#threads.length < this.#most) this.#startOne();
  }

  /** Takes the chunk's bytes with it. Rejects with what the thread throws or dies of. */
  transform(chunk: CrossingChunk, plan: TransformPlan): Promise<SurveyedChunk> {
    return this.#freest().transform(chunk, plan);
  }

  /** Ends all threads at once; what they have not given back is rejected with the reason. */
  async stop(reason: unknown = NOT_WANTED): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.stop(reason)));
  }

  /** Ends threads that have nothing to do; others start when there is work again. */
  async rest(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map((thread) => thread.stop(NOT_WANTED)));
  }

  #freest(): TransformThread {
    const [freest] = this.#threads.toSorted((a, b) => a.load - b.load);
    if (freest !== undefined && (freest.load === 0 || this.#threads.length === this.#most)) {
      return freest;
    }
    return this.#startOne();
  }

  #startOne(): TransformThread {
    const thread = new TransformThread(this.#kind);
    this.#threads.push(thread);
    return thread;
  }
}

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
class InFlight<T> {
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
