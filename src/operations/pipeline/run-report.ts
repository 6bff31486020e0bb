/** Builds the report of a run from its figures, stores it and writes it to files. */
import { createHash } from 'node:crypto';
import {
  type AbsentColumns,
  absentNotice,
  intersectAbsent,
} from '../../coverage/absent-columns.js';
import { coverageOf } from '../../coverage/coverage.js';
import type { Survey } from '../../coverage/survey.js';
import { sourceTextOf } from '../../mapping/mapping-text.js';
import { openQuestions } from '../../mapping/open-questions.js';
import { columnFields } from '../../mapping/rules.js';
import { JournalError, messageOf } from '../../model/errors.js';
import { isObject } from '../../model/record.js';
import { VERSION } from '../../model/version.js';
import type { InputReport } from '../../outcomes/events.js';
import {
  type StopConditions,
  type StopReport,
  stopReport,
} from '../../outcomes/stop-conditions.js';
import type { Tally } from '../../outcomes/tally.js';
import { OutputError, writeOutput } from '../../outputs/output-file.js';
import { reportHtml } from '../../report/html/report-html.js';
import type { RejectsReport } from '../../report/rejects/rejects.js';
import {
  type EarlierRun,
  exitCodeOf,
  REPORT_VERSION,
  type Report,
  type UnwrittenFile,
} from '../../report/report.js';
import { isRepeatable } from '../../runs/description.js';
import type { StoredRun } from '../../runs/stored-run.js';
import type { TransformPlan } from '../../transform/transform-record.js';
import { explainRun } from '../diagnosis/diagnose.js';
import { needsAsOf } from './as-of.js';
import type { DeliveryLog } from './delivery-log.js';
import type { RunEnd } from './import-run.js';
import type { PipelineRun } from './pipeline-run.js';
import type { PlannedOutputs } from './plan-outputs.js';
import { inputReport } from './prepare-run.js';

/** Figures of a run: of this process, or merged from all processes that worked on it. */
export interface RunFigures {
  readonly tally: Tally;
  /** Records read, by input. */
  readonly records: readonly number[];
  readonly batches: number;
  readonly retries: number;
  readonly notices: readonly string[];
  readonly delivery: DeliveryLog;
  /** `undefined` if not asked for. */
  readonly survey: Survey | undefined;
  /** For each input, columns of the mapping that none of its objects has. */
  readonly absent: readonly (AbsentColumns | null)[];
  readonly rejects: readonly RejectsReport[];
  /** Whether rejects couldn't be written. */
  readonly lacksRejects: boolean;
  readonly readToEnd: boolean;
  readonly stop: StopReport | null;
}

/** Facts about a run that its report needs in addition to the figures. */
export interface ReportedRun
  extends Pick<
    PipelineRun,
    'id' | 'startedMs' | 'target' | 'drift' | 'readingFlags' | 'stateFlags'
  > {
  readonly plan: Pick<TransformPlan, 'mapping' | 'factory' | 'asOf'>;
  /** Their `records` and `counts` are still to be filled in. */
  readonly inputs: readonly InputReport[];
  /** Whether the run is stored and its inputs can be read again. */
  readonly canBeResumed: boolean;
  readonly isStored: boolean;
  /** The last finished run to compare with; absent without a state folder. */
  readonly earlier?: EarlierRun | null | undefined;
}

/**
 * Closes the outcomes and rejects of this process, and returns its figures.
 * @param before number of records of an input before the first that this process reads
 */
export async function closeFigures(
  run: PipelineRun,
  before: (input: number) => number = () => 0,
): Promise<RunFigures> {
  const { stored, recorder, survey, stops, plan, notices, absent, delivery } = run;
  const { tally, numbers, batches, retries, readToEnd } = recorder;
  recorder.close(plan.sends ? 'import' : 'validate');
  if (stored !== undefined && !readToEnd) countUnread(run, stored, before);
  const { rejects, unwritten } = await closeRejects(run);
  const { reason } = stops;
  // As a notice, unless it is the reason for the stop itself.
  const isSaid = unwritten === undefined || unwritten === reason?.message;
  return {
    tally,
    batches,
    retries,
    absent,
    survey,
    delivery,
    rejects,
    readToEnd,
    lacksRejects: unwritten !== undefined,
    notices: isSaid ? notices : [...notices, unwritten],
    records: absent.map((_, input) => numbers.readOf(input)),
    stop: reason === undefined ? null : stopReport(reason),
  };
}

export async function runReport(figures: RunFigures, run: ReportedRun): Promise<Report> {
  const { tally, records, stop, readToEnd } = figures;
  const facts = runFacts(run);
  const { command } = facts;
  const counts = tally.counts();
  const read = records.reduce((sum, number) => sum + number, 0);
  const status = statusOf(stop?.kind);
  // Rejects that couldn't be written are written by whoever resumes the run.
  const isUnwritten = figures.lacksRejects || stop?.kind === 'output';
  const isSomethingLeft = counts.unsent + counts.unknown > 0 || !readToEnd || isUnwritten;
  const coverage = runCoverage(figures, run);
  const { causes, diagnosis, skips } = await explainRun({
    dates: figures.survey?.summary().published,
    command,
    tally,
    plan: run.plan,
    inputs: run.inputs,
    absent: figures.absent.reduce(intersectAbsent, null) ?? {},
  });
  return {
    version: REPORT_VERSION,
    ...facts,
    status,
    stop,
    exitCode: exitCodeOf({ command, status, stop, counts }),
    inputs: run.inputs.map((input, n) => ({
      ...input,
      records: records[n] ?? 0,
      counts: tally.countsOf(n),
    })),
    counts,
    skips,
    earlier: run.earlier ?? null,
    batches: figures.batches,
    retries: figures.retries,
    recordsPerSecond: Math.round((read * 1000) / Math.max(1, facts.elapsedMs)),
    notices: [
      ...figures.notices,
      ...run.inputs.flatMap(({ name }, n) => absentNotice(name, figures.absent[n] ?? null)),
    ],
    diagnosis,
    causes,
    problems: tally.problems(),
    drift: run.drift,
    coverage,
    delivery: run.target === null ? null : figures.delivery.report(),
    rejects: figures.rejects,
    unwritten: [],
    unknown: tally.unknownRecords(),
    remembered: run.target === null ? null : run.isStored,
    needsAsOf: needsAsOf(run.plan),
    readingFlags: run.readingFlags,
    stateFlags: run.stateFlags,
    resumable: run.canBeResumed && isSomethingLeft,
  };
}

/** The run's time, version and mapping. */
function runFacts({ id, startedMs, target, plan }: ReportedRun) {
  const { mapping } = plan;
  const ended = new Date();
  return {
    docferry: VERSION,
    command: target === null ? 'validate' : 'import',
    run: id,
    started: new Date(startedMs).toISOString(),
    ended: ended.toISOString(),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    elapsedMs: ended.getTime() - startedMs,
    mapping: mapping.name,
    mappingFile: sourceTextOf(mapping)?.name ?? null,
    mappingFingerprint: fingerprintOf(plan),
    openQuestions: openQuestions(mapping),
    target,
  } as const satisfies Partial<Report>;
}

/** Identifies the mapping's file; `null` for a function. */
function fingerprintOf({ mapping, factory }: ReportedRun['plan']): string | null {
  if (typeof factory === 'function') return null;
  const text = sourceTextOf(mapping)?.text ?? JSON.stringify(mapping, (_, value) => sorted(value));
  return createHash('sha256').update(text).digest('hex');
}

function sorted(value: unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).toSorted()) : value;
}

/**
 * Counts the stored outcomes of records that a resumed run didn't reach, because it ended earlier in
 * the input than the run before.
 */
function countUnread(
  { recorder }: PipelineRun,
  stored: StoredRun,
  before: (input: number) => number,
): void {
  const carriedOver = stored.carriedOverRecords(
    (input) => before(input) + recorder.numbers.readOf(input),
  );
  for (const [range, { kind, sentOther }] of carriedOver) {
    const outcome = kind === 'accepted' && sentOther ? 'duplicate' : kind;
    recorder.noteCarriedOver(range, outcome === 'sending' ? 'unknown' : outcome);
  }
}

interface ClosedRejects {
  readonly rejects: readonly RejectsReport[];
  /** Why some or all of them could not be written. */
  readonly unwritten?: string;
}

/**
 * Closes the rejects. A write error stops the run, but the report is still made. Where the run can be
 * resumed, either all of them get their names or none, and the process that resumes it writes them.
 */
async function closeRejects(run: PipelineRun): Promise<ClosedRejects> {
  const { stored, recorder, rejects, stops } = run;
  if (rejects === undefined) return { rejects: [] };
  if (stored !== undefined && isRepeatable(stored.description)) {
    try {
      // Before they get their names, so that a process that resumes a killed one knows them.
      const written = rejects.finish();
      if (written.length > 0) await stored.rememberRejects(written);
    } catch (error) {
      stops.stopIf(error, error instanceof JournalError ? JournalError : OutputError);
      rejects.abandon();
      return { rejects: [], unwritten: messageOf(error) };
    }
  }
  try {
    return { rejects: rejects.close(recorder.readToEnd) };
  } catch (error) {
    stops.stopIf(error, OutputError);
    return { rejects: [], unwritten: messageOf(error) };
  }
}

function runCoverage(
  { survey, tally }: RunFigures,
  { plan: { mapping, factory } }: ReportedRun,
): Report['coverage'] {
  if (survey === undefined) return null;
  const summary = survey.summary();
  // The columns that a function uses are unknown, so none is reported as unused.
  const allColumns = new Map(summary.columns.filled.map(([name]) => [name, []]));
  const repeated = tally.problems().find(({ kind }) => kind === 'repeated-id');
  return coverageOf(summary, {
    usedColumns: factory === undefined ? columnFields(mapping) : allColumns,
    repeats: { same: tally.counts().duplicate, other: repeated?.count ?? 0 },
  });
}

function statusOf(stop: string | undefined): Report['status'] {
  if (stop === undefined) return 'finished';
  return stop === 'interrupted' ? 'interrupted' : 'stopped';
}

/**
 * Makes the report of a run, stores it and writes its files. The report lists files that could not be
 * written.
 * @param stateDir folder whose runs it is compared with
 */
export async function finishRun(run: PipelineRun, stateDir?: string | false): Promise<RunEnd> {
  const { stored } = run;
  const history = stateDir && stored ? await openHistory(stateDir, stored, run) : undefined;
  const report = await storeReport(await reportOf(run, history?.earlier), run, stored);
  const written = await writeReportFiles(report, run.files, run.stops);
  history?.add(written);
  return runEndOf(written === report ? report : await storeReport(written, run, stored), run);
}

/** Loaded lazily; only imports with a state folder need it. */
async function openHistory(stateDir: string, stored: StoredRun, run: PipelineRun) {
  const { runHistory } = await import('./run-history.js');
  return runHistory(stateDir, stored, run);
}

/** Stores a report, and returns it; if that fails, the run counts as stopped. */
export async function storeReport(
  report: Report,
  { stops }: Pick<PipelineRun, 'stops'>,
  stored: Pick<StoredRun, 'finish'> | undefined,
): Promise<Report> {
  try {
    await stored?.finish(report);
    return report;
  } catch (error) {
    stops.stopIf(error, JournalError);
    return stoppedReport(report, error as JournalError);
  }
}

/** Closes the outcomes of a run that one process did alone, and makes its report. */
export async function reportOf(run: PipelineRun, earlier?: EarlierRun | null): Promise<Report> {
  const { sources, stored } = run;
  const closed = await closeFigures(run);
  const unapplied = run.stops.unappliedLimit(closed.tally.counts());
  const figures = { ...closed, notices: [...closed.notices, ...unapplied] };
  const canBeResumed =
    stored !== undefined && (sources.length === 0 || isRepeatable(stored.description));
  const inputs = sources.map(inputReport);
  const isStored = stored !== undefined;
  return await runReport(figures, { ...run, inputs, isStored, canBeResumed, earlier });
}

/** Turns the report of a finished run into that of a stopped one, because storing or writing it failed. */
function stoppedReport(report: Report, { message }: Error): Report {
  if (report.status !== 'finished') return report;
  const stop = { kind: 'output', message } as const;
  const stopped = { ...report, status: 'stopped' as const, stop };
  return { ...stopped, exitCode: exitCodeOf(stopped) };
}

/**
 * Writes the report to the files asked for.
 * @returns the report, which lists files that could not be written
 */
export async function writeReportFiles(
  report: Report,
  { reportFile, htmlFile }: PlannedOutputs,
  stops: StopConditions,
): Promise<Report> {
  let current = report;
  const write = (option: UnwrittenFile['option'], path: string, text: string): void => {
    try {
      writeOutput(path, text);
    } catch (error) {
      stops.stopIf(error, OutputError);
      const { message } = error as OutputError;
      const unwritten = [...current.unwritten, { option, path, message }];
      current = stoppedReport({ ...current, unwritten }, error as OutputError);
    }
  };
  if (htmlFile !== undefined) write('htmlFile', htmlFile, await reportHtml(current));
  // Written last, because it reports whether the page was written.
  if (reportFile !== undefined)
    write('reportFile', reportFile, `${JSON.stringify(current, null, 2)}\n`);
  return current;
}

/** @param run omitted for a run that finished in an earlier process */
export function runEndOf(report: Report, run?: PipelineRun): RunEnd {
  return { report, stop: run?.stops.reason ?? report.stop ?? undefined };
}
