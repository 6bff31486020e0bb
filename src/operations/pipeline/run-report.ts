/** Builds the report of a run from its figures. */
import { createHash } from 'node:crypto';
import { absentNotice, intersectAbsent } from '../../coverage/absent-columns.js';
import { coverageOf } from '../../coverage/coverage.js';
import { sourceTextOf } from '../../mapping/mapping-text.js';
import { openQuestions } from '../../mapping/open-questions.js';
import { columnFields } from '../../mapping/rules.js';
import { isObject } from '../../model/record.js';
import { VERSION } from '../../model/version.js';
import type { InputReport } from '../../outcomes/events.js';
import { type EarlierRun, exitCodeOf, REPORT_VERSION, type Report } from '../../report/report.js';
import type { TransformPlan } from '../../transform/transform-record.js';
import { explainRun } from '../diagnosis/diagnose.js';
import { needsAsOf } from './as-of.js';
import type { RunFigures } from './close-figures.js';
import type { PipelineRun } from './pipeline-run.js';

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
