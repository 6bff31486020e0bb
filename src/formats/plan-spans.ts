import type { Chunk, Position } from '../model/chunk.js';
import { SourceBrokenError } from '../model/errors.js';
import type { Source, Span } from '../model/source.js';

/** Span with the number of records that start in it. */
export interface PlannedSpan {
  readonly span: Span;
  readonly records: number;
}

/**
 * Cuts a divisible source once and divides it into consecutive spans, from the first record to the
 * end of the file. Any boundary between chunks will do, as `RecordScanner` never depends on bytes
 * before a record's start, nor on bytes that aren't loaded.
 * @param bytesFrom approximate size of the span that starts at a byte; spans end at chunk
 *   boundaries
 * @throws SourceBrokenError like reading, after what could be read
 */
export async function* planSpans(
  source: Source,
  {
    bytesFrom,
    signal,
  }: {
    readonly bytesFrom: (byte: number) => number;
    readonly signal?: AbortSignal | undefined;
  },
): AsyncGenerator<PlannedSpan, void, undefined> {
  if (!source.divisible) throw new Error(`${source.name} can't be divided into spans.`);
  let from: Position | undefined;
  let records = 0;
  let to = 0;
  let failure: SourceBrokenError | undefined;
  try {
    for await (const chunk of source.chunks(signal)) {
      const { position } = chunk;
      from ??= position;
      if (position.byte - from.byte >= bytesFrom(from.byte)) {
        yield { span: { from, to: position.byte }, records };
        from = position;
        records = 0;
      }
      records += chunk.records;
      to = chunkEnd(chunk);
    }
    // Include blank lines and comments at the end.
    to = Math.max(to, source.file?.size ?? 0);
  } catch (error) {
    if (!(error instanceof SourceBrokenError)) throw error;
    failure = error;
  }
  if (from !== undefined) yield { span: { from, to }, records };
  if (failure !== undefined) throw failure;
}

function chunkEnd(chunk: Chunk): number {
  return chunk.position.byte + ('bytes' in chunk ? chunk.bytes.length : 0);
}
