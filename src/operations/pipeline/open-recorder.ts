import { asRead, namedRecord, parseChunk, placeOf, recordAsRead } from '../../formats/formats.js';
import type { PlacedChunk } from '../../model/chunk.js';
import type { ParsedRecord } from '../../model/record.js';
import type { Source } from '../../model/source.js';
import type { EventHub } from '../../outcomes/events.js';
import { OutcomeRecorder, type RejectReason } from '../../outcomes/outcome-recorder.js';
import type { StopConditions } from '../../outcomes/stop-conditions.js';
import { OutputError } from '../../outputs/output-file.js';
import type { RejectsWriter } from '../../report/rejects/rejects.js';

/** Who is told of a run's records. */
interface Listeners {
  readonly hub: EventHub;
  readonly stops: StopConditions;
  readonly rejects: RejectsWriter | undefined;
  /** Whether listeners want to see the records. */
  readonly withRecords: boolean;
}

/** Records what becomes of the records of these sources. */
export function openRecorder(
  sources: readonly Source[],
  { hub, stops, rejects, withRecords }: Listeners,
): OutcomeRecorder {
  return new OutcomeRecorder(
    sources.map(({ name }) => name),
    {
      hub,
      stops,
      locate: placeOf,
      reject: rejects === undefined ? undefined : reject(rejects),
      readRecord: withRecords ? recordReader() : undefined,
    },
  );

  /** A disk that is full ends the run, but not its report. */
  function reject(writer: RejectsWriter) {
    return (chunk: PlacedChunk, index: number, why: RejectReason): void => {
      const source = sources[chunk.input];
      if (source === undefined) return;
      try {
        writer.add({ ...why, source, ...recordAsRead(chunk, index) });
      } catch (error) {
        if (!(error instanceof OutputError)) throw error;
        stops.stop({ kind: 'output', message: error.message, cause: error });
      }
    };
  }
}

/** A chunk's records are read once more, the first time one is asked for. */
function recordReader(): (chunk: PlacedChunk, index: number) => unknown {
  const read = new WeakMap<PlacedChunk, readonly ParsedRecord[]>();
  return (chunk, index) => {
    // The very object that the program gave.
    if (chunk.kind === 'objects') return chunk.objects[index];
    const records = read.get(chunk) ?? parseChunk(asRead(chunk));
    read.set(chunk, records);
    const value = records[index]?.value;
    return value === undefined ? null : namedRecord(value, chunk.layout);
  };
}
