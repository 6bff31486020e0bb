import type { TransformedChunk } from '../../model/documents.js';
import { type DocferryError, SourceBrokenError, ThreadDiedError } from '../../model/errors.js';
import type { OutcomeRecorder } from '../../outcomes/outcome-recorder.js';
import type { Stop, StopConditions } from '../../outcomes/stop-conditions.js';

/** What is known of a run while it reads. */
interface ReadingRun {
  readonly recorder: OutcomeRecorder;
  readonly stops: StopConditions;
}

/**
 * Gives chunks until they end or the run is stopped. What breaks in the middle stops the run, and
 * what came before goes its way.
 */
export async function* untilStopped<Chunk extends TransformedChunk>(
  chunks: AsyncIterable<Chunk>,
  { recorder, stops }: ReadingRun,
): AsyncGenerator<Chunk, void, undefined> {
  if (stops.stopsReading) return;
  try {
    for await (const chunk of chunks) {
      if (stops.stopsReading) return;
      yield chunk;
    }
    recorder.readToEnd = true;
  } catch (error) {
    // An abort ends the chunks with an error, and is known already.
    if (stops.stopsReading) return;
    const kind = stopOf(error);
    if (kind === undefined) throw error;
    const { message, cause = error } = error as DocferryError;
    stops.stop({ kind, message, cause });
  }
}

function stopOf(error: unknown): Stop['kind'] | undefined {
  if (error instanceof SourceBrokenError) return 'source';
  return error instanceof ThreadDiedError ? 'thread' : undefined;
}
