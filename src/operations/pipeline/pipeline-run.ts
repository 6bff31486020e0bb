import type { AbsentColumns } from '../../coverage/absent-columns.js';
import { Survey } from '../../coverage/survey.js';
import {
  namedRecord,
  parseChunk,
  recordAsRead,
  recordPlace,
  withRecords,
} from '../../formats/read-records.js';
import type { PlacedChunk } from '../../model/chunk.js';
import type { InputDrift } from '../../model/errors.js';
import type { ParsedRecord, Problem } from '../../model/record.js';
import { type Source, totalBytes } from '../../model/source.js';
import type { EventHub, Progress } from '../../outcomes/events.js';
import {
  OutcomeRecorder,
  type ReadRecord,
  type RejectReason,
} from '../../outcomes/outcome-recorder.js';
import { StopConditions } from '../../outcomes/stop-conditions.js';
import { OutputError } from '../../outputs/output-file.js';
import type { RejectsWriter } from '../../report/rejects/rejects.js';
import type { StoredRun } from '../../runs/stored-run.js';
import { compileTransformRecord, type TransformPlan } from '../../transform/transform-record.js';
import type { RunSettings } from '../settings.js';
import { DeliveryLog } from './delivery-log.js';
import type { PlannedOutputs } from './plan-outputs.js';

/** A run in this process: its options as values, its open inputs, and the findings of its stages. */
export interface PipelineRun {
  readonly id: string;
  /** `null` for a validation. */
  readonly target: { readonly baseUrl: string; readonly monitoring: number } | null;
  /** Journal and ledger; `undefined` for a validation, without a state, and until the run is opened. */
  readonly stored: StoredRun | undefined;
  /** Accepted drift of the inputs; `null` if they were not compared. */
  readonly drift: readonly InputDrift[] | null;
  readonly files: PlannedOutputs;
  readonly settings: RunSettings;
  /** Flags of the command that decide how records are read and mapped. */
  readonly readingFlags: readonly string[];
  /** The flag for the place of runs, unless it is the default. */
  readonly stateFlags: readonly string[];
  readonly plan: TransformPlan;
  readonly sources: readonly Source[];
  readonly rejects: RejectsWriter | undefined;
  readonly hub: EventHub;
  /** Ends reading and all waits at once. */
  readonly signal: AbortSignal;
  /** Time when this process started or resumed the run, in milliseconds since 1970. */
  readonly startedMs: number;
  /** Messages for the user so far. */
  readonly notices: readonly string[];
  /** Emits a message for the user and adds it to the report; an urgent one is shown at once. */
  readonly notice: (message: string, isUrgent?: boolean) => void;
  readonly recorder: OutcomeRecorder;
  readonly delivery: DeliveryLog;
  /** Statistics of all documents; `undefined` if not asked for. */
  readonly survey: Survey | undefined;
  /** For each input of the run, columns of the mapping that none of its objects has. */
  readonly absent: (AbsentColumns | null)[];
  readonly stops: StopConditions;
}

type Findings = ('notices' | 'notice' | 'recorder' | 'delivery') | ('survey' | 'absent' | 'stops');

/**
 * @param beganMs start of the run, in milliseconds since 1970
 * @param withRecords whether outcomes are emitted with their records
 */
export function newPipelineRun(
  context: Omit<PipelineRun, Findings | 'stored'>,
  { beganMs, withRecords = false }: { readonly beganMs: number; readonly withRecords?: boolean },
): PipelineRun {
  const { settings, plan, sources, rejects, hub } = context;
  const names = sources.map(({ name }) => name);
  const stops = new StopConditions(settings.errorLimit);
  const notices: string[] = [];
  const run = {
    ...context,
    stored: undefined,
    notices,
    notice: (message: string, isUrgent = false): void => {
      notices.push(message);
      if (isUrgent) hub.warn(message);
      hub.emit({ type: 'notice', message });
    },
    recorder: new OutcomeRecorder(names, {
      hub,
      stops,
      locate: recordPlace,
      reject: rejects && rejectWith(rejects, sources, stops),
      readRecord: withRecords ? recordReader(plan) : undefined,
    }),
    delivery: new DeliveryLog(beganMs),
    survey: plan.surveys ? new Survey() : undefined,
    absent: names.map(() => null),
    stops,
  };
  stopOnAbort(run);
  return run;
}

function stopOnAbort({ signal, stops }: PipelineRun): void {
  const stop = (): void => {
    const message = 'the run was interrupted';
    stops.stop({ kind: 'interrupted', message, cause: signal.reason });
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
}

/** Returns a function that writes rejects. A write error stops the run, but not its report. */
function rejectWith(writer: RejectsWriter, sources: readonly Source[], stops: StopConditions) {
  return (chunk: PlacedChunk, index: number, reason: RejectReason): void => {
    const source = sources.find(({ input }) => input === chunk.input);
    if (source === undefined) return;
    try {
      writer.add({ ...reason, source, ...recordAsRead(chunk, index) });
    } catch (error) {
      stops.stopIf(error, OutputError);
    }
  };
}

/**
 * Returns a reader of single records with their documents, which parses a chunk once more when its first
 * record is asked for, and maps each record once more.
 */
function recordReader(plan: TransformPlan): ReadRecord {
  const read = new WeakMap<PlacedChunk, readonly ParsedRecord[]>();
  return (chunk, index) => {
    const records = read.get(chunk) ?? parseChunk(withRecords(chunk));
    read.set(chunk, records);
    const value = records[index]?.value;
    // The caller's own object, even if it can't be read.
    const record = chunk.kind === 'objects' ? chunk.objects[index] : null;
    if (value === undefined) return { record, document: null };
    const transform = compileTransformRecord(chunk.layout, plan, NO_VALIDATION, NO_WRITING);
    const transformed = transform(value);
    return {
      record: record ?? namedRecord(value, chunk.layout),
      document: transformed.skipped ? null : transformed.document,
    };
  };
}

const NO_VALIDATION = (): readonly Problem[] => [];
const NO_WRITING = (): string => '';

export function progressOf({
  sources,
  recorder,
  startedMs,
}: Pick<PipelineRun, 'sources' | 'recorder' | 'startedMs'>): Progress {
  return {
    counts: recorder.counts(),
    bytesRead: sources.reduce((sum, source) => sum + source.bytesRead(), 0),
    bytesTotal: totalBytes(sources),
    elapsedMs: Date.now() - startedMs,
  };
}

export function emitProgress(run: PipelineRun): void {
  if (run.hub.listening) run.hub.emit({ type: 'progress', progress: progressOf(run) });
}
