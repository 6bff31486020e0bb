import type { TransformedChunk } from '../../model/documents.js';
import { type DocferryError, SourceBrokenError, ThreadDiedError } from '../../model/errors.js';
import type { Account } from '../../outcomes/account.js';
import type { Brake, Stop } from '../../outcomes/brake.js';

/** What is known of a run while it reads. */
interface ReadingRun {
  readonly account: Account;
  readonly brake: Brake;
}

/**
 * Gives chunks until they end or the run is stopped. What breaks in the middle stops the run, and
 * what came before goes its way.
 */
export async function* untilStopped<Chunk extends TransformedChunk>(
  chunks: AsyncIterable<Chunk>,
  { account, brake }: ReadingRun,
): AsyncGenerator<Chunk, void, undefined> {
  if (brake.stopsReading) return;
  try {
    for await (const chunk of chunks) {
      if (brake.stopsReading) return;
      yield chunk;
    }
    account.readToEnd = true;
  } catch (error) {
    // An abort ends the chunks with an error, and is known already.
    if (brake.stopsReading) return;
    const kind = stopOf(error);
    if (kind === undefined) throw error;
    const { message, cause = error } = error as DocferryError;
    brake.pull({ kind, message, cause });
  }
}

function stopOf(error: unknown): Stop['kind'] | undefined {
  if (error instanceof SourceBrokenError) return 'source';
  return error instanceof ThreadDiedError ? 'thread' : undefined;
}
