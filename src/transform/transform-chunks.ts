import type { Chunk } from '../chunk.js';
import type { TransformedChunk } from '../documents.js';

/** Turns one chunk into documents: inline, or elsewhere. */
export type Transform = (chunk: Chunk) => TransformedChunk | Promise<TransformedChunk>;

/** Transforms chunks in order, one at a time: where the transform runs is not this stage's concern. */
export async function* transformChunks(
  chunks: AsyncIterable<Chunk>,
  transform: Transform,
): AsyncGenerator<TransformedChunk, void, undefined> {
  for await (const chunk of chunks) yield await transform(chunk);
}
