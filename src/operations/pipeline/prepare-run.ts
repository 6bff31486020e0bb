import { Survey } from '../../coverage/survey.js';
import { DuplicateProblems } from '../../dedup/duplicate-problems.js';
import { type BatchLimits, RequestEstimate } from '../../delivery/batches.js';
import { todoNotices } from '../../mapping/load/todos.js';
import { reviewFields } from '../../mapping/review-fields.js';
import { undatedFields } from '../../mapping/rules/relative-dates.js';
import type { InputDrift } from '../../model/errors.js';
import { NO_COUNTS } from '../../model/record.js';
import type { Source } from '../../model/source.js';
import type { EventHub, InputReport, Progress } from '../../outcomes/events.js';
import type { OutcomeRecorder } from '../../outcomes/outcome-recorder.js';
import { StopConditions } from '../../outcomes/stop-conditions.js';
import type { OutputError } from '../../outputs/output-file.js';
import type { Run } from '../../runs/run.js';
import type { ThreadPool } from '../../transform/pool/transform-on-threads.js';
import type { TransformPlan } from '../../transform/transform-record.js';
import { batchOptions, errorLimit, threadsOption } from '../check-options.js';
import type { ImportOptions, ValidateOptions } from '../options.js';
import { checkDrift } from './check-drift.js';
import { DeliveryLog } from './delivery-log.js';
import { openRecorder } from './open-recorder.js';
import { type PlannedOutputs, planOutputs } from './plan-outputs.js';
import { planRecords } from './plan-records.js';

/** A run whose options are checked and whose inputs are open; nothing has been sent. */
export interface PreparedRun {
  /** The run's id: its start and a few random letters. */
  readonly id: string;
  /** When this process began with it, in milliseconds since 1970. */
  readonly startedMs: number;
  /** `null`: nothing is to be sent. */
  readonly target: { readonly baseUrl: string; readonly monitoring: number } | null;
  readonly sources: readonly Source[];
  readonly transform: TransformPlan;
  /** In what the inputs have drifted, which was accepted; `null`: they were not compared. */
  readonly drift: readonly InputDrift[] | null;
  /** Most worker threads for it. */
  readonly limits: { readonly threads: number };
  /** Threads that are there already. */
  readonly pool?: ThreadPool | undefined;
  readonly files: PlannedOutputs;
  readonly recorder: OutcomeRecorder;
  /** What is found out besides: it becomes notices, or figures of the report. */
  readonly findings: {
    readonly duplicates: DuplicateProblems;
    readonly delivery: DeliveryLog;
    /** Where documents are counted on the way. */
    readonly survey: RunSurvey | undefined;
  };
  readonly stops: StopConditions;
  readonly hub: EventHub;
  readonly signal: AbortSignal;
  /** Stops listening to the signal. */
  readonly release: () => void;
  readonly notices: readonly string[];
  /** Tells a person something while the run proceeds; the report has it, too. */
  readonly notice: (message: string) => void;
  readonly progress: () => Progress;
  /** Tells listeners how far it is. */
  readonly tellProgress: () => void;
}

/** What documents are like as a whole, and the requests that they would take. */
export interface RunSurvey {
  readonly documents: Survey;
  readonly requests: RequestEstimate;
}

export function newSurvey(limits: BatchLimits): RunSurvey {
  return { documents: new Survey(), requests: new RequestEstimate(limits) };
}

/**
 * Checks everything that can be checked before a run starts: options, mapping, schema, inputs, and
 * that each input has the columns that the mapping names.
 * @throws DocferryError with exit code 2
 */
export async function prepareRun(
  options: ValidateOptions & Partial<Pick<ImportOptions, 'stateDir' | 'survey'>>,
  hub: EventHub,
  target: PreparedRun['target'],
  earlier?: Run,
): Promise<PreparedRun> {
  const now = new Date();
  const started = earlier === undefined ? now : new Date(earlier.description.started);
  const id = earlier?.id ?? runId(now);
  const limit = errorLimit(options.maxErrors);
  const limits = { threads: threadsOption(options) };
  const sends = target !== null;
  const surveys = !sends || (options.survey ?? options.htmlFile !== undefined);
  const batches = batchOptions(options);
  const uses = { started, sends, surveys, givesUpRecords: !asksForRecords(options) };
  const { transform, ...planned } = await planRecords(options, uses);
  // A resumed run was found good, or drift was accepted, when it began.
  const { sources, ...checked } =
    earlier === undefined
      ? await checkDrift(planned.sources, transform, options)
      : { sources: planned.sources, notices: [], drift: null };
  const marks = earlier?.outputs ?? [];
  const files = await planOutputs(options, { id, sources, marks });
  const signal = options.signal ?? new AbortController().signal;
  const stops = new StopConditions(limit);
  const changeable = reviewFields(transform.mapping).others.map(({ name }) => name);
  const duplicates = new DuplicateProblems(changeable);
  const told = { rejects: files.rejects, withRecords: options.withRecords ?? false };
  const recorder = openRecorder(sources, { hub, stops, ...told });
  await recordEvents(files, hub, stops);
  const inputs = sources.map(inputReport);
  hub.emit({ type: 'start', run: id, resumed: earlier !== undefined, inputs });
  const notices = [
    ...checked.notices,
    // What is still to be decided: who validates has time for it.
    ...(target === null ? todoNotices(transform.mapping) : []),
    ...undatedNotices(transform),
    ...sources.flatMap((source) => source.notices),
  ];
  for (const message of notices) hub.emit({ type: 'notice', message });
  const progress = (): Progress => progressOf(sources, recorder, now.getTime());
  return {
    id,
    startedMs: now.getTime(),
    target,
    sources,
    transform,
    drift: checked.drift,
    limits,
    recorder,
    findings: {
      duplicates,
      delivery: new DeliveryLog(now.getTime()),
      survey: surveys ? newSurvey(batches) : undefined,
    },
    stops,
    files,
    hub,
    notices,
    signal,
    release: stopOnAbort(signal, stops),
    progress,
    notice: (message) => {
      notices.push(message);
      hub.emit({ type: 'notice', message });
    },
    tellProgress: () => {
      if (hub.listening) hub.emit({ type: 'progress', progress: progress() });
    },
  };
}

/** Whether somebody will see records as they were read. */
function asksForRecords({ rejects, withRecords }: ValidateOptions): boolean {
  return rejects !== undefined || withRecords === true;
}

/** Has the run's events written where that is asked for. A disk that is full ends the run. */
async function recordEvents(
  { eventsFile }: PlannedOutputs,
  hub: EventHub,
  stops: StopConditions,
): Promise<void> {
  if (eventsFile === undefined) return;
  const { EventLog } = await import('../../report/event-log.js');
  const halt = (cause: OutputError): void =>
    stops.stop({ kind: 'output', message: cause.message, cause });
  hub.record(new EventLog(eventsFile, halt));
}

/** Dates that can't be counted back from anything are left out, which a person should know. */
function undatedNotices({ mapping, asOf }: TransformPlan): readonly string[] {
  return undatedFields(mapping, asOf).map(
    (place) =>
      `${mapping.name}: ${place} is left out, because its dates are relative and nothing says when the export was made. State it with --as-of, such as --as-of 2024-05-31.`,
  );
}

/** An abort ends the run early, at whatever stage it is. Gives what stops listening for it. */
function stopOnAbort(signal: AbortSignal, stops: StopConditions): () => void {
  const halt = (): void =>
    stops.stop({
      kind: 'interrupted',
      message: 'the run was interrupted',
      cause: signal.reason,
    });
  if (signal.aborted) halt();
  signal.addEventListener('abort', halt);
  return () => signal.removeEventListener('abort', halt);
}

/** Sortable by time, and unlikely to meet another: `20260131-093000-k3f9x2`. */
function runId(started: Date): string {
  const time = started.toISOString().replace(/\D/g, '').slice(0, 14);
  const letters = Math.floor(Math.random() * 0x1000000).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-${letters.padStart(6, '0')}`;
}

/** What the report and the first event say about an input of which nothing was read yet. */
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

function progressOf(
  sources: readonly Source[],
  recorder: OutcomeRecorder,
  startedMs: number,
): Progress {
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
