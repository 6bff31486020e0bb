import type { Chunk } from '../../model/chunk.js';
import type { SurveyedChunk } from '../compile-transform.js';
import type { TransformPlan } from '../transform-record.js';
import { InFlight } from './in-flight.js';
import type { CrossingChunk } from './run-transform.js';
import { type ThreadKind, TransformThread } from './transform-thread.js';

/** How many threads, and what ends them. */
export interface Threads {
  /** How many there may be, at least 1. */
  readonly threads: number;
  /** Ends everything at once, with its reason as the error. */
  readonly signal: AbortSignal;
  /** Those that are there already, and stay. */
  readonly pool?: ThreadPool | undefined;
  /** Those that were started ahead for this, and end with it. */
  readonly ahead?: ThreadPool | undefined;
}

/**
 * Transforms chunks on worker threads; the results come in the order of the chunks. Reads ahead as
 * far as {@link InFlight} has room, and no further until a result is taken.
 * @throws what reading throws, after the results of all chunks before; ThreadDiedError likewise
 */
export async function* transformOnThreads(
  chunks: AsyncIterator<Chunk>,
  plan: TransformPlan,
  { threads, signal, pool: kept, ahead }: Threads,
  kind?: ThreadKind,
): AsyncGenerator<SurveyedChunk, void, undefined> {
  const pool = kept ?? ahead ?? new ThreadPool(threads, kind);
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
