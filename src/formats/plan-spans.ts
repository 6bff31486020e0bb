import type { Chunk, Position } from '../model/chunk.js';
import { SourceBrokenError } from '../model/errors.js';
import type { Source, Span } from '../model/source.js';

/** A span, and how many records begin in it. */
export interface PlannedSpan {
  readonly span: Span;
  readonly records: number;
}

/**
 * Cuts a divisible source once, and divides it into spans that lie one behind the other: from the
 * first chunk of records to the end of the file.
 *
 * Any boundary between two chunks will do. What stands at a position is told by the bytes from
 * there on alone: `RecordScanner` looks back no further than the record's start, and it says nothing
 * that further bytes could change.
 * @param bytesFrom about how many a span is to have that begins at a byte: spans end where chunks do
 * @throws SourceBrokenError as reading does, after what could be read
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
      to = endOf(chunk);
    }
    // Blank lines and comments may follow.
    to = Math.max(to, source.file?.size ?? 0);
  } catch (error) {
    if (!(error instanceof SourceBrokenError)) throw error;
    failure = error;
  }
  if (from !== undefined) yield { span: { from, to }, records };
  if (failure !== undefined) throw failure;
}

/** Of the bytes that it holds. */
function endOf(chunk: Chunk): number {
  return chunk.position.byte + ('bytes' in chunk ? chunk.bytes.length : 0);
}
