import type { Chunk } from '../chunk.js';
import { SourceBrokenError } from '../errors.js';
import type { Source } from '../source/source.js';
import type { Account } from './account.js';

/**
 * Reads all sources, one after another, until they end or the run is stopped. A source that
 * breaks in the middle stops the run, and what was read before goes its way.
 */
export async function* readChunks(
  sources: readonly Source[],
  account: Account,
  signal: AbortSignal,
): AsyncGenerator<Chunk, void, undefined> {
  try {
    for (const source of sources) {
      for await (const chunk of source.chunks(signal)) {
        if (account.stopsReading) return;
        yield chunk;
      }
    }
    account.readToEnd = true;
  } catch (error) {
    // An abort ends the source with an error, and is known already.
    if (account.stopsReading) return;
    if (!(error instanceof SourceBrokenError)) throw error;
    account.halt({ kind: 'source', message: error.message });
  }
}
