import type { Chunk } from '../model/chunk.js';

/** Looks at a source's chunks as they are cut, for what a person should know. */
export interface ChunkWatch {
  /** The source is read from its start. */
  start(): void;
  look(chunk: Chunk): void;
  end(): void;
  /** Nothing before the end. */
  remarks(): readonly string[];
}

/** Chunks that somebody looks at on their way. */
export async function* watched(
  chunks: AsyncIterable<Chunk>,
  watch: ChunkWatch,
): AsyncGenerator<Chunk, void, undefined> {
  watch.start();
  try {
    for await (const chunk of chunks) {
      watch.look(chunk);
      yield chunk;
    }
  } finally {
    watch.end();
  }
}
