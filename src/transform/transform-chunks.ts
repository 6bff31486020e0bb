import type { Chunk } from '../model/chunk.js';
import type { SurveyedChunk } from './compile-transform.js';
import type { ThreadPool } from './pool/transform-on-threads.js';
import type { TransformPlan } from './transform-record.js';

/** Where the transform runs. */
export interface TransformPlace {
  /** How many worker threads there may be; 0: it runs where it is called. */
  readonly threads: number;
  /** How many bytes will come, as far as it is known; 0 if it isn't. */
  readonly expectedBytes: number;
  /** Ends everything at once, with its reason as the error. */
  readonly signal: AbortSignal;
  /** Threads that are there already, and stay; otherwise they are made, and end. */
  readonly pool?: ThreadPool | undefined;
}

/** Gives chunks until the signal is aborted; then throws. */
export type ReadChunks = (signal: AbortSignal) => AsyncIterable<Chunk>;

/**
 * A thread takes as long to start, and to get as fast as the first one, as that one takes for some
 * megabytes: below this, threads don't pay.
 */
const SMALL = 8 * 1024 * 1024;

/**
 * Starts threads before it is known what they will do: that takes them as long as it takes to read
 * the mapping and to open the inputs.
 * @param bytes how many will come, as far as it is known
 * @returns `undefined` where threads wouldn't pay
 */
export async function startAhead(threads: number, bytes: number): Promise<ThreadPool | undefined> {
  if (threads === 0 || isSmall(bytes)) return undefined;
  const { ThreadPool } = await import('./pool/transform-on-threads.js');
  const ahead = new ThreadPool(threads);
  ahead.start();
  return ahead;
}

/**
 * Transforms chunks; the results come in the order of the chunks. The only place that decides where
 * the transform runs: on threads, or here, if there is little to do, or a function to be called.
 * @throws what reading throws, after the results of all chunks before; ThreadDiedError likewise
 */
export async function* transformChunks(
  read: ReadChunks,
  plan: TransformPlan,
  { threads, expectedBytes, signal, pool }: TransformPlace,
): AsyncGenerator<SurveyedChunk, void, undefined> {
  const reading = new AbortController();
  const stopReading = (): void => reading.abort(signal.reason);
  if (signal.aborted) stopReading();
  signal.addEventListener('abort', stopReading);
  const chunks = read(reading.signal)[Symbol.asyncIterator]();
  try {
    const stays = threads === 0 || typeof plan.maker === 'function';
    const inline = stays ? Infinity : pool === undefined && isSmall(expectedBytes) ? SMALL : 0;
    const whole = inline > 0 && (yield* transformHere(chunks, plan, inline));
    if (whole) return;
    const { transformOnThreads } = await import('./pool/transform-on-threads.js');
    yield* transformOnThreads(chunks, plan, { threads, signal, pool });
  } finally {
    signal.removeEventListener('abort', stopReading);
    // Whoever leaves early doesn't wait for a chunk that may never come.
    reading.abort();
    await chunks.return?.().catch(() => {});
  }
}

/** Whether threads wouldn't pay. */
export function isSmall(bytes: number): boolean {
  return bytes < SMALL;
}

/** Transforms chunks until so many bytes of them have passed. Returns whether that was all. */
async function* transformHere(
  chunks: AsyncIterator<Chunk>,
  plan: TransformPlan,
  most: number,
): AsyncGenerator<SurveyedChunk, boolean, undefined> {
  const { compileTransform } = await import('./compile-transform.js');
  const transform = await compileTransform(plan);
  for (let passed = 0; passed < most; ) {
    const step = await chunks.next();
    if (step.done) return true;
    if ('bytes' in step.value) passed += step.value.bytes.byteLength;
    yield transform(step.value);
  }
  return false;
}
