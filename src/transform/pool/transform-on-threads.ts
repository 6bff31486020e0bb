import type { Chunk } from '../../model/chunk.js';
import type { SurveyedChunk } from '../compile-transform.js';
import type { TransformPlan } from '../transform-record.js';
import type { CrossingChunk } from './run-transform.js';
import { type ThreadSettings, TransformThread } from './transform-thread.js';

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
 * {@link MAX_BYTES_IN_FLIGHT} are in flight, and no further until a result is taken.
 * @throws errors of reading, after the results of all chunks before; ThreadDiedError likewise
 */
export async function* transformOnThreads(
  chunks: AsyncIterator<Chunk>,
  plan: TransformPlan,
  { threads, signal, pool: sharedPool }: Threads,
  kind?: ThreadSettings,
): AsyncGenerator<SurveyedChunk, void, undefined> {
  const pool = sharedPool ?? new ThreadPool(threads, kind);
  const stop = async (reason: unknown): Promise<void> => {
    if (pool !== sharedPool) await pool.stop(reason);
  };
  const abort = (): void => void stop(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    const transform = (chunk: CrossingChunk): Promise<SurveyedChunk> => pool.transform(chunk, plan);
    yield* transformAhead(chunks, transform, threads * CHUNKS_PER_THREAD, signal);
  } finally {
    signal.removeEventListener('abort', abort);
    await stop(NOT_WANTED);
  }
}

const NOT_WANTED = new Error('The results are no longer wanted.');

/**
 * Chunks in flight per thread: one running, one queued for it, one finished and waiting for its
 * turn.
 */
const CHUNKS_PER_THREAD = 3;
/** Largest number of bytes of chunks in flight; their documents take about twice as much again. */
const MAX_BYTES_IN_FLIGHT = 16 * 1024 * 1024;

/** A chunk on a thread, until its result is taken. */
interface InFlight {
  readonly bytes: number;
  readonly result: Promise<SurveyedChunk>;
}

/** End of reading: with the source, or with an error. */
type ReadEnd = { readonly ended: true } | { readonly error: unknown };

type Transform = (chunk: CrossingChunk) => Promise<SurveyedChunk>;

/** Reads while there is room, and yields results in order. */
async function* transformAhead(
  chunks: AsyncIterator<Chunk>,
  transform: Transform,
  maxChunks: number,
  signal: AbortSignal,
): AsyncGenerator<SurveyedChunk, void, undefined> {
  const inFlight: InFlight[] = [];
  let reading: Promise<InFlight | ReadEnd> | undefined;
  let end: ReadEnd | undefined;
  while (end === undefined || inFlight.length > 0) {
    if (end === undefined && hasRoom(inFlight, maxChunks)) {
      reading ??= readNext(chunks, transform, signal);
    }
    const pending = [reading, inFlight[0]?.result].filter((one) => one !== undefined);
    const ready = await Promise.race<SurveyedChunk | InFlight | ReadEnd>(pending);
    if ('documents' in ready) {
      inFlight.shift();
      yield ready;
      continue;
    }
    reading = undefined;
    if ('result' in ready) inFlight.push(ready);
    else end = ready;
  }
  if ('error' in end) throw end.error;
}

/** One chunk is always allowed. */
function hasRoom(inFlight: readonly InFlight[], maxChunks: number): boolean {
  const sum = inFlight.reduce((total, { bytes }) => total + bytes, 0);
  return inFlight.length === 0 || (inFlight.length < maxChunks && sum < MAX_BYTES_IN_FLIGHT);
}

/**
 * Reads a chunk and begins to transform it; stops waiting when the signal is aborted. Never
 * rejects.
 */
function readNext(
  chunks: AsyncIterator<Chunk>,
  transform: Transform,
  signal: AbortSignal,
): Promise<InFlight | ReadEnd> {
  return new Promise((resolve) => {
    const abort = (): void => resolve({ error: signal.reason });
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort);
    chunks
      .next()
      .then(({ done, value }) => {
        if (!signal.aborted) resolve(done ? { ended: true } : sendChunk(value, transform));
      })
      .catch((error: unknown) => resolve({ error }))
      .finally(() => signal.removeEventListener('abort', abort));
  });
}

function sendChunk(chunk: Chunk, transform: Transform): InFlight {
  if (chunk.kind === 'objects') throw new Error("Objects can't be sent to another thread.");
  // Sending transfers the bytes, so take their length before.
  const { byteLength: bytes } = chunk.bytes;
  const result = transform(chunk);
  // Prevents an unhandled rejection if the result is never taken.
  result.catch(() => {});
  return { bytes, result };
}

/** Pool of transform threads; each starts on demand, unless `start` was called. */
export class ThreadPool {
  readonly #max: number;
  readonly #kind: ThreadSettings | undefined;
  readonly #threads: TransformThread[] = [];

  constructor(max: number, kind?: ThreadSettings) {
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
