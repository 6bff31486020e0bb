import type { Chunk } from '../model/chunk.js';
import type { SurveyedChunk } from './compile-transform.js';
import type { ThreadPool, Threads } from './pool/transform-on-threads.js';
import type { TransformPlan } from './transform-record.js';

/** Threads to transform on; the calling thread if there are none. */
interface TransformSettings extends Threads {
  /** 0 if unknown. */
  readonly expectedBytes: number;
}

/** Yields chunks; throws once the signal is aborted. */
type ReadChunks = (signal: AbortSignal) => AsyncIterable<Chunk>;

/**
 * Inputs below this size don't pay for threads: starting and warming up a thread takes as long as
 * transforming some megabytes.
 */
const MIN_BYTES_FOR_THREADS = 8 * 1024 * 1024;

/**
 * Starts threads while the mapping is read and the inputs are opened, which takes about as long.
 * @param bytes expected size of the inputs
 * @returns `undefined` if threads wouldn't pay
 */
export async function prestartThreads(
  threads: number,
  bytes: number,
): Promise<ThreadPool | undefined> {
  if (threads === 0 || isSmall(bytes)) return undefined;
  const { ThreadPool } = await import('./pool/transform-on-threads.js');
  const pool = new ThreadPool(threads);
  pool.start();
  return pool;
}

/**
 * Transforms chunks, in order. Decides where the transform runs: on threads, or on this one for
 * small inputs and for functions, which can't cross threads.
 * @throws errors of reading, after the results of all chunks before; ThreadDiedError likewise
 */
export async function* transformChunks(
  read: ReadChunks,
  plan: TransformPlan,
  { threads, expectedBytes, signal, pool }: TransformSettings,
): AsyncGenerator<SurveyedChunk, void, undefined> {
  const stopping = new AbortController();
  const stopReading = (): void => stopping.abort(signal.reason);
  if (signal.aborted) stopReading();
  signal.addEventListener('abort', stopReading);
  const chunks = read(stopping.signal)[Symbol.asyncIterator]();
  try {
    const inline = inlineBytes(plan, { threads, expectedBytes, pool });
    const whole = inline > 0 && (yield* transformHere(chunks, plan, inline));
    if (whole) return;
    const { transformOnThreads } = await import('./pool/transform-on-threads.js');
    yield* transformOnThreads(chunks, plan, { threads, signal, pool });
  } finally {
    signal.removeEventListener('abort', stopReading);
    // On early exit, don't wait for a chunk that may never come.
    stopping.abort();
    await chunks.return?.().catch(() => {});
  }
}

/** Number of bytes to transform on this thread before others take over. */
function inlineBytes(
  { factory }: TransformPlan,
  { threads, expectedBytes, pool }: Omit<TransformSettings, 'signal'>,
): number {
  if (threads === 0 || typeof factory === 'function') return Infinity;
  return pool === undefined && isSmall(expectedBytes) ? MIN_BYTES_FOR_THREADS : 0;
}

export function isSmall(bytes: number): boolean {
  return bytes < MIN_BYTES_FOR_THREADS;
}

/** Transforms chunks until `maxBytes` have passed. Returns whether the source ended. */
async function* transformHere(
  chunks: AsyncIterator<Chunk>,
  plan: TransformPlan,
  maxBytes: number,
): AsyncGenerator<SurveyedChunk, boolean, undefined> {
  const { compileTransform } = await import('./compile-transform.js');
  const transform = await compileTransform(plan);
  for (let passed = 0; passed < maxBytes; ) {
    const step = await chunks.next();
    if (step.done) return true;
    if ('bytes' in step.value) passed += step.value.bytes.byteLength;
    yield transform(step.value);
  }
  return false;
}
