import type { AbsentColumns } from '../../coverage/absent-columns.js';
import { Survey } from '../../coverage/survey.js';
import { DuplicateProblems } from '../../dedup/duplicate-problems.js';
import { RequestEstimate } from '../../delivery/batches.js';
import { asRead, namedRecord, parseChunk, placeOf, recordAsRead } from '../../formats/formats.js';
import { reviewFields } from '../../mapping/compile/compile-document.js';
import type { PlacedChunk } from '../../model/chunk.js';
import type { ParsedRecord } from '../../model/record.js';
import type { Source } from '../../model/source.js';
import type { EventHub, Progress } from '../../outcomes/events.js';
import { OutcomeRecorder, type RejectReason } from '../../outcomes/outcome-recorder.js';
import { StopConditions } from '../../outcomes/stop-conditions.js';
import { OutputError } from '../../outputs/output-file.js';
import type { RejectsWriter } from '../../report/rejects/rejects.js';
import type { ThreadPool } from '../../transform/pool/transform-on-threads.js';
import type { TransformPlan } from '../../transform/transform-record.js';
import type { RunSettings } from '../settings.js';
import { DeliveryLog } from './delivery-log.js';

/** What passes records through the pipeline in this process, and what its stages find out on the way. */
export interface PipelineRun extends Findings {
  readonly settings: RunSettings;
  readonly transform: TransformPlan;
  /** The sources to read, one after another. */
  readonly sources: readonly Source[];
  readonly rejects: RejectsWriter | undefined;
  readonly hub: EventHub;
  /** Ends reading and all pauses at once, with its reason. */
  readonly signal: AbortSignal;
  /** When this process began with it, in milliseconds since 1970. */
  readonly startedMs: number;
  /** What a person was told. */
  readonly notices: readonly string[];
  /** Tells a person something while the run proceeds; the report has it, too. */
  readonly notice: (message: string) => void;
  /** Threads that outlive the run. */
  readonly pool?: ThreadPool | undefined;
}

/** What the stages of a run find out. */
export interface Findings {
  readonly recorder: OutcomeRecorder;
  readonly duplicates: DuplicateProblems;
  readonly delivery: DeliveryLog;
  /** What documents are like as a whole, and the requests that they would take, where that is asked for. */
  readonly survey: { readonly documents: Survey; readonly requests: RequestEstimate } | undefined;
  /** For each input of the run, the columns of the mapping that none of its objects has. */
  readonly absent: (AbsentColumns | null)[];
  readonly stops: StopConditions;
}

/** What findings are about. */
interface Subject extends Pick<PipelineRun, 'settings' | 'transform' | 'hub' | 'rejects'> {
  /** All inputs of the run, also those that other processes read. */
  readonly inputs: readonly Pick<Source, 'name'>[];
  /** The sources that this process reads. */
  readonly sources: readonly Source[];
  /** When the run began, in milliseconds since 1970. */
  readonly beganMs: number;
  /** Whether listeners want to see the records. */
  readonly withRecords: boolean;
}

/** Findings of which there are none yet. */
export function newFindings(subject: Subject): Findings {
  const { settings, transform, hub, rejects, inputs, sources, beganMs } = subject;
  const stops = new StopConditions(settings.errorLimit);
  const changeable = reviewFields(transform.mapping).others.map(({ name }) => name);
  return {
    recorder: new OutcomeRecorder(
      inputs.map(({ name }) => name),
      {
        ...{ hub, stops, locate: placeOf },
        reject: rejects && rejectWith(rejects, sources, stops),
        readRecord: subject.withRecords ? recordReader() : undefined,
      },
    ),
    duplicates: new DuplicateProblems(changeable),
    delivery: new DeliveryLog(beganMs),
    survey: transform.surveys
      ? { documents: new Survey(), requests: new RequestEstimate(settings.batches) }
      : undefined,
    absent: inputs.map(() => null),
    stops,
  };
}

/** Writes records as rejects. A disk that is full ends the run, but not its report. */
function rejectWith(writer: RejectsWriter, sources: readonly Source[], stops: StopConditions) {
  return (chunk: PlacedChunk, index: number, why: RejectReason): void => {
    const source = sources.find(({ input }) => input === chunk.input);
    if (source === undefined) return;
    try {
      writer.add({ ...why, source, ...recordAsRead(chunk, index) });
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
      stops.stop({ kind: 'output', message: error.message, cause: error });
    }
  };
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

/** How far a run is in this process. */
export function progressOf({
  sources,
  recorder,
  startedMs,
}: Pick<PipelineRun, 'sources' | 'recorder' | 'startedMs'>): Progress {
  const sizes = sources.map(({ size }) => size);
  return {
    counts: recorder.counts(),
    bytesRead: sources.reduce((sum, source) => sum + source.bytesRead(), 0),
    bytesTotal: sizes.includes(null)
      ? null
      : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0),
    elapsedMs: Date.now() - startedMs,
  };
}

/** Tells listeners how far a run is. */
export function emitProgress(run: PipelineRun): void {
  if (run.hub.listening) run.hub.emit({ type: 'progress', progress: progressOf(run) });
}
