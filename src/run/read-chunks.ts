import type { Chunk } from '../chunk.js';
import { SourceBrokenError } from '../errors.js';
import type { Source } from '../source/source.js';
import type { Account } from './account.js';
import type { Brake } from './brake.js';

/** What reading needs of a run. */
interface ReadingRun {
  readonly sources: readonly Source[];
  readonly account: Account;
  readonly brake: Brake;
  readonly signal: AbortSignal;
}

/**
 * Reads all sources, one after another, until they end or the run is stopped. A source that
 * breaks in the middle stops the run, and what was read before goes its way.
 */
export async function* readChunks({
  sources,
  account,
  brake,
  signal,
}: ReadingRun): AsyncGenerator<Chunk, void, undefined> {
  try {
    for (const source of sources) {
      for await (const chunk of source.chunks(signal)) {
        if (brake.stopsReading) return;
        yield chunk;
      }
    }
    account.readToEnd = true;
  } catch (error) {
    // An abort ends the source with an error, and is known already.
    if (brake.stopsReading) return;
    if (!(error instanceof SourceBrokenError)) throw error;
    brake.pull({ kind: 'source', message: error.message });
  }
}
