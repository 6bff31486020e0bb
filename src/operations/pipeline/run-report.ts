/** The report of a run, made of what its stages have counted. */
import { type AbsentColumns, absentNotice } from '../../coverage/absent-columns.js';
import { coverageOf, type RequestFigures } from '../../coverage/coverage.js';
import type { Survey } from '../../coverage/survey.js';
import type { DuplicateProblems } from '../../dedup/duplicate-problems.js';
import { columnFields } from '../../mapping/rules.js';
import type { InputReport } from '../../outcomes/events.js';
import type { StopReport } from '../../outcomes/stop-conditions.js';
import type { Tally } from '../../outcomes/tally.js';
import { OutputError } from '../../outputs/output-file.js';
import { exitCodeOf } from '../../report/exit-code.js';
import type { RejectsReport } from '../../report/rejects/rejects.js';
import type { Report } from '../../report/report.js';
import type { Run } from '../../runs/run.js';
import type { TransformPlan } from '../../transform/transform-record.js';
import type { DeliveryLog } from './delivery-log.js';
import type { PipelineRun } from './pipeline-run.js';
import type { PreparedRun } from './prepare-run.js';

/** What a run has counted: in this process, or merged from all processes that worked on it. */
export interface RunFigures {
  readonly tally: Tally;
  /** Records read of each input. */
  readonly records: readonly number[];
  readonly batches: number;
  readonly retries: number;
  readonly notices: readonly string[];
  readonly duplicates: DuplicateProblems;
  readonly delivery: DeliveryLog;
  /** `undefined` where documents were not counted on the way. */
  readonly survey: { readonly documents: Survey; readonly requests: RequestFigures } | undefined;
  /** For each input, the columns of the mapping that none of its objects has. */
  readonly absent: readonly (AbsentColumns | null)[];
  /** The files of rejects. */
  readonly rejects: readonly RejectsReport[];
  readonly readToEnd: boolean;
  /** Why it ended early. */
  readonly stop: StopReport | null;
}

/** What a report is about. */
export interface ReportedRun extends Pick<PreparedRun, 'id' | 'startedMs' | 'target' | 'drift'> {
  /** Without the records that were read. */
  readonly inputs: readonly InputReport[];
  readonly transform: Pick<TransformPlan, 'mapping' | 'maker'>;
  /** Whether the run is stored, and its inputs can be read again. */
  readonly canBeResumed: boolean;
}

/**
 * Closes the outcomes and rejects of this process, and gives what it has counted.
 * @param inputs number of inputs of the run
 * @param before how many records of the input come before those that the process reads
 */
export function closeFigures(
  run: PipelineRun,
  { inputs, stored, before = 0 }: { inputs: number; stored?: Run | undefined; before?: number },
): RunFigures {
  const { recorder, survey, stops, transform } = run;
  const { tally, numbers, batches, retries } = recorder;
  recorder.close(transform.sends ? 'import' : 'validate');
  if (stored !== undefined && !recorder.readToEnd) countUnread(run, stored, before);
  const rejects = closeRejects(run);
  const { reason } = stops;
  return {
    ...{ tally, batches, retries, rejects },
    records: Array.from({ length: inputs }, (_, input) => numbers.readOf(input)),
    notices: run.notices,
    absent: run.absent,
    duplicates: run.duplicates,
    delivery: run.delivery,
    survey: survey && { documents: survey.documents, requests: survey.requests.figures() },
    readToEnd: recorder.readToEnd,
    // A report holds no errors.
    stop: reason === undefined ? null : { kind: reason.kind, message: reason.message },
  };
}

/** The report of a run that is over. */
export function runReport(figures: RunFigures, run: ReportedRun): Report {
  const { tally, records, stop, readToEnd } = figures;
  const { target } = run;
  const command = target === null ? 'validate' : 'import';
  const counts = tally.counts();
  const read = records.reduce((sum, number) => sum + number, 0);
  const elapsedMs = Date.now() - run.startedMs;
  const status = statusOf(stop?.kind);
  const isSomethingLeft = counts.unsent + counts.unknown > 0 || !readToEnd;
  return {
    command,
    run: run.id,
    status,
    stop,
    exitCode: exitCodeOf({ command, status, stop, counts }),
    inputs: run.inputs.map((input, n) => ({
      ...input,
      records: records[n] ?? 0,
      counts: tally.countsOf(n),
    })),
    mapping: run.transform.mapping.name,
    target,
    counts,
    batches: figures.batches,
    retries: figures.retries,
    elapsedMs,
    recordsPerSecond: Math.round((read * 1000) / Math.max(1, elapsedMs)),
    notices: [
      ...figures.notices,
      ...run.inputs.flatMap(({ name }, n) => absentNotice(name, figures.absent[n] ?? null)),
      ...figures.duplicates.notices(),
    ],
    problems: tally.problems(),
    drift: run.drift,
    coverage: runCoverage(figures, run),
    delivery: target === null ? null : figures.delivery.report(),
    rejects: figures.rejects,
    unknown: tally.unknownRecords(),
    resumable: run.canBeResumed && isSomethingLeft,
  };
}

/** A resumed run that ended before it came as far as it had been: what it knew still holds. */
function countUnread({ recorder }: PipelineRun, stored: Run, before: number): void {
  const unread = stored.unread((input) => before + recorder.numbers.readOf(input));
  for (const [range, { kind }] of unread) {
    recorder.recordSkippedByResume(range, kind === 'sending' ? 'unknown' : kind);
  }
}

/** A disk that is full costs the rejects, but not the report of what was sent. */
function closeRejects({ recorder, rejects, stops }: PipelineRun): readonly RejectsReport[] {
  try {
    return rejects?.close(recorder.readToEnd) ?? [];
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    stops.stop({ kind: 'output', message: error.message, cause: error });
    return [];
  }
}

/** `null` where documents were not counted on the way. */
function runCoverage(
  { survey, tally }: RunFigures,
  { transform: { mapping, maker } }: ReportedRun,
): Report['coverage'] {
  if (survey === undefined) return null;
  const summary = survey.documents.summary();
  // Which columns a function uses isn't known: none is called unused.
  const every = new Map(summary.columns.filled.map(([name]) => [name, []]));
  const repeated = tally.problems().find(({ kind }) => kind === 'repeated-id');
  return coverageOf(summary, {
    usedColumns: maker === undefined ? columnFields(mapping) : every,
    repeats: { same: tally.counts().duplicate, other: repeated?.count ?? 0 },
    requests: survey.requests,
  });
}

function statusOf(stop: string | undefined): Report['status'] {
  if (stop === undefined) return 'finished';
  return stop === 'interrupted' ? 'interrupted' : 'stopped';
}
