import type { Chunk } from '../../model/chunk.js';
import type { Source } from '../../model/source.js';

/**
 * Reads all sources, one after another.
 * @param notice is told, once, what turns up while they are read
 * @throws SourceBrokenError when one breaks in the middle; the signal's reason when it is aborted
 */
export async function* readChunks(
  sources: readonly Source[],
  signal: AbortSignal,
  notice: (message: string) => void,
): AsyncGenerator<Chunk, void, undefined> {
  const told = new Set<string>();
  const tell = (source: Source): void => {
    for (const remark of source.remarks?.() ?? []) {
      if (!told.has(remark)) notice(remark);
      told.add(remark);
    }
  };
  for (const source of sources) {
    try {
      for await (const chunk of source.chunks(signal)) {
        tell(source);
        yield chunk;
      }
    } finally {
      tell(source);
    }
  }
}
