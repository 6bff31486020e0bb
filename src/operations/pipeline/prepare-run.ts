import { randomInt } from 'node:crypto';
import type { AbsentColumns } from '../../coverage/absent-columns.js';
import { Survey } from '../../coverage/survey.js';
import { DuplicateProblems } from '../../dedup/duplicates.js';
import { RequestEstimate } from '../../delivery/batches.js';
import {
  namedRecord,
  parseChunk,
  placeOf,
  recordAsRead,
  withRecords,
} from '../../formats/read-records.js';
import { reviewFields } from '../../mapping/compile/compile-document.js';
import { todoNotices } from '../../mapping/mapping-text.js';
import { undatedFields } from '../../mapping/rules.js';
import type { PlacedChunk } from '../../model/chunk.js';
import type { InputDrift } from '../../model/errors.js';
import { NO_COUNTS, type ParsedRecord } from '../../model/record.js';
import { type Source, totalBytes } from '../../model/source.js';
import type { EventHub, InputReport, Progress } from '../../outcomes/events.js';
import { OutcomeRecorder, type RejectReason } from '../../outcomes/outcome-recorder.js';
import { StopConditions } from '../../outcomes/stop-conditions.js';
import { OutputError } from '../../outputs/output-file.js';
import type { RejectsWriter } from '../../report/rejects/rejects.js';
import type { StoredRun } from '../../runs/stored-run.js';
import type { ThreadPool } from '../../transform/pool/transform-on-threads.js';
import type { TransformPlan } from '../../transform/transform-record.js';
import type { ImportOptions, ValidateOptions } from '../options.js';
import type { RunSettings } from '../settings.js';
import { DeliveryLog } from './delivery-log.js';
import type { RunControl } from './import-run.js';
import { type PlannedOutputs, planOutputs } from './plan-outputs.js';
import { planRecords } from './plan-records.js';

/** A run whose options are checked and whose inputs are open. Nothing has been sent. */
export interface PreparedRun extends PipelineRun {
  readonly id: string;
  /** `null` for a validation. */
  readonly target: { readonly baseUrl: string; readonly monitoring: number } | null;
  /** Accepted drift of the inputs; `null` if they were not compared. */
  readonly drift: readonly InputDrift[] | null;
  readonly files: PlannedOutputs;
}

interface Preparation {
  readonly settings: RunSettings;
  readonly control: RunControl;
  readonly target: PreparedRun['target'];
  readonly earlier?: StoredRun | undefined;
}

/**
 * Checks everything that can be checked before a run starts: mapping, schema, inputs and their
 * columns, drift, and output files.
 * @throws DocferryError with exit code 2
 */
export async function prepareRun(
  options: ValidateOptions & Partial<Pick<ImportOptions, 'stateDir' | 'survey'>>,
  { settings, control, target, earlier }: Preparation,
): Promise<PreparedRun> {
  const now = new Date();
  const { hub, signal } = control;
  const started = earlier === undefined ? now : new Date(earlier.description.started);
  const id = earlier?.id ?? runId(now);
  const sends = target !== null;
  const surveys = !sends || (options.survey ?? options.htmlFile !== undefined);
  const { rejects, withRecords = false } = options;
  const retainBytes = rejects !== undefined || withRecords;
  const uses = { started, sends, surveys, retainBytes };
  const { transform, ...planned } = await planRecords(options, uses);
  control.sources = planned.sources;
  const { expects } = transform.mapping;
  // A resumed run was checked when it began.
  const { sources, drift, ...checked } =
    earlier === undefined && expects !== undefined
      ? await (await import('./check-drift.js')).checkDrift(
          planned.sources,
          { ...transform, expects },
          options,
        )
      : { sources: planned.sources, notices: [], drift: null };
  const files = await planOutputs(options, { id, sources, marks: earlier?.outputs ?? [] });
  const pipeline = newPipelineRun({
    ...{ settings, transform, sources, hub, signal, withRecords },
    ...{ rejects: files.rejects, startedMs: now.getTime() },
  });
  const run = { ...pipeline, id, target, drift, files };
  await recordEvents(run, (error) => run.stops.stopForOutput(error, OutputError));
  const inputs = sources.map(inputReport);
  hub.emit({ type: 'start', run: id, resumed: earlier !== undefined, inputs });
  for (const message of [
    ...checked.notices,
    // TODOs are for authors of mappings, who validate.
    ...(sends ? [] : todoNotices(transform.mapping)),
    ...undatedNotices(transform),
    ...sources.flatMap((source) => source.notices),
  ]) {
    run.notice(message);
  }
  control.view = { notices: run.notices, progress: () => progressOf(run) };
  return run;
}

/**
 * Writes the run's events to `eventsFile`, if given.
 * @param onFailure called once if they can't be written, for example because the disk is full
 */
export async function recordEvents(
  { id, files: { eventsFile }, hub }: Pick<PreparedRun, 'id' | 'files' | 'hub'>,
  onFailure: (error: OutputError) => void,
): Promise<void> {
  hub.run = id;
  if (eventsFile === undefined) return;
  const { EventLog } = await import('../../report/event-log.js');
  hub.record(new EventLog(eventsFile, onFailure));
}

/** Warns about relative dates without a reference date, which are left out. */
function undatedNotices({ mapping, asOf }: TransformPlan): readonly string[] {
  return undatedFields(mapping, asOf).map(
    (place) =>
      `${mapping.name}: ${place} is left out, because its dates are relative and the date of the export is unknown. Give it, for example --as-of 2024-05-31.`,
  );
}

function stopOnAbort({ signal, stops }: PipelineRun): void {
  const stop = (): void => {
    const message = 'the run was interrupted';
    stops.stop({ kind: 'interrupted', message, cause: signal.reason });
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
}

/** Start of this process's latest run according to its id, in milliseconds since 1970. */
let lastStartMs = 0;

/**
 * Creates an id that sorts by the run's start, for example `20260131-093000-1237f4`: after the time
 * in milliseconds come three random hexadecimal digits.
 */
function runId(started: Date): string {
  lastStartMs = Math.max(started.getTime(), lastStartMs + 1);
  const time = new Date(lastStartMs).toISOString().replace(/\D/g, '');
  const random = randomInt(0x1000).toString(16).padStart(3, '0');
  return `${time.slice(0, 8)}-${time.slice(8, 14)}-${time.slice(14)}${random}`;
}

/** Describes an unread input for the report and the `start` event. */
export function inputReport(source: Source): InputReport {
  const { detected } = source;
  return {
    name: source.name,
    format: detected.format,
    encoding: detected.encoding ?? null,
    compression: detected.compression ?? null,
    delimiter: detected.delimiter ?? null,
    bytes: source.size,
    records: 0,
    counts: NO_COUNTS,
  };
}

/** Context of the pipeline in this process, and the findings of its stages. */
export interface PipelineRun {
  readonly settings: RunSettings;
  readonly transform: TransformPlan;
  readonly sources: readonly Source[];
  readonly rejects: RejectsWriter | undefined;
  readonly hub: EventHub;
  /** Ends reading and all waits at once. */
  readonly signal: AbortSignal;
  /** When this process started or resumed the run, in milliseconds since 1970. */
  readonly startedMs: number;
  /** Shared threads, which outlive the run. */
  readonly pool?: ThreadPool | undefined;
  /** Messages for the user so far. */
  readonly notices: readonly string[];
  /** Emits a message for the user and adds it to the report. */
  readonly notice: (message: string) => void;
  readonly recorder: OutcomeRecorder;
  readonly duplicates: DuplicateProblems;
  readonly delivery: DeliveryLog;
  /** Statistics of all documents and an estimate of requests; `undefined` if not asked for. */
  readonly survey: { readonly documents: Survey; readonly requests: RequestEstimate } | undefined;
  /** For each input of the run, columns of the mapping that none of its objects has. */
  readonly absent: (AbsentColumns | null)[];
  readonly stops: StopConditions;
}

interface RunContext
  extends Pick<
    PipelineRun,
    'settings' | 'transform' | 'sources' | 'rejects' | 'hub' | 'signal' | 'startedMs' | 'pool'
  > {
  /** All inputs of the run, including those that other processes read; default: the sources. */
  readonly inputs?: readonly Pick<Source, 'name'>[];
  /** When the run began, in milliseconds since 1970; default: in this process. */
  readonly beganMs?: number;
  /** Whether outcomes are emitted with their records; default `false`. */
  readonly withRecords?: boolean;
}

export function newPipelineRun({
  inputs,
  beganMs,
  withRecords = false,
  ...context
}: RunContext): PipelineRun {
  const { settings, transform, sources, rejects, hub, startedMs } = context;
  const names = (inputs ?? sources).map(({ name }) => name);
  const stops = new StopConditions(settings.errorLimit);
  const changeable = reviewFields(transform.mapping).others.map(({ name }) => name);
  const notices: string[] = [];
  const run = {
    ...context,
    notices,
    notice: (message: string): void => {
      notices.push(message);
      hub.emit({ type: 'notice', message });
    },
    recorder: new OutcomeRecorder(names, {
      ...{ hub, stops, locate: placeOf },
      reject: rejects && rejectWith(rejects, sources, stops),
      readRecord: withRecords ? recordReader() : undefined,
    }),
    duplicates: new DuplicateProblems(changeable),
    delivery: new DeliveryLog(beganMs ?? startedMs),
    survey: transform.surveys
      ? { documents: new Survey(), requests: new RequestEstimate(settings.batches) }
      : undefined,
    absent: names.map(() => null),
    stops,
  };
  stopOnAbort(run);
  return run;
}

/** Returns a function that writes rejects. A write error stops the run, but not its report. */
function rejectWith(writer: RejectsWriter, sources: readonly Source[], stops: StopConditions) {
  return (chunk: PlacedChunk, index: number, reason: RejectReason): void => {
    const source = sources.find(({ input }) => input === chunk.input);
    if (source === undefined) return;
    try {
      writer.add({ ...reason, source, ...recordAsRead(chunk, index) });
    } catch (error) {
      stops.stopForOutput(error, OutputError);
    }
  };
}

/** Returns a reader of single records, which parses a chunk once more when its first record is asked for. */
function recordReader(): (chunk: PlacedChunk, index: number) => unknown {
  const read = new WeakMap<PlacedChunk, readonly ParsedRecord[]>();
  return (chunk, index) => {
    // Returns the caller's own object.
    if (chunk.kind === 'objects') return chunk.objects[index];
    const records = read.get(chunk) ?? parseChunk(withRecords(chunk));
    read.set(chunk, records);
    const value = records[index]?.value;
    return value === undefined ? null : namedRecord(value, chunk.layout);
  };
}

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
