import type { Chunk } from '../chunk.js';
import type { Source } from '../source/source.js';

/**
 * Reads all sources, one after another.
 * @throws SourceBrokenError when one breaks in the middle; the signal's reason when it is aborted
 */
export async function* readChunks(
  sources: readonly Source[],
  signal: AbortSignal,
): AsyncGenerator<Chunk, void, undefined> {
  for (const source of sources) yield* source.chunks(signal);
}
