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
        if (stopped(account, signal)) return;
        yield chunk;
      }
    }
  } catch (error) {
    if (stopped(account, signal)) return;
    if (!(error instanceof SourceBrokenError)) throw error;
    account.halt({ kind: 'source', message: error.message });
  }
}

function stopped(account: Account, signal: AbortSignal): boolean {
  if (signal.aborted) account.halt({ kind: 'interrupted', message: 'the run was interrupted' });
  return account.stop !== undefined;
}
