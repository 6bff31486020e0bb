/** What a process tells of its shard of a run, and the report that all of them make. */
import { coverageOf, type RequestFigures } from '../../coverage/coverage.js';
import { Survey, type SurveySummary } from '../../coverage/survey.js';
import { DuplicateProblems, type DuplicatesSnapshot } from '../../dedup/duplicate-problems.js';
import { columnFields } from '../../mapping/rules.js';
import type { InputReport } from '../../outcomes/events.js';
import type { StopReport } from '../../outcomes/stop-conditions.js';
import { Tally, type TallySnapshot } from '../../outcomes/tally.js';
import { OutputError } from '../../outputs/output-file.js';
import { exitCodeOf } from '../../report/exit-code.js';
import type { RejectsReport } from '../../report/rejects/rejects.js';
import type { Report } from '../../report/report.js';
import type { Run } from '../../runs/run.js';
import type { TransformPlan } from '../../transform/transform-record.js';
import { DeliveryLog, type DeliverySnapshot } from './delivery-log.js';
import type { PreparedRun, RunSurvey } from './prepare-run.js';

/** What a process tells of its shard, as plain JSON; a run of one process is one shard. */
export interface ShardReport {
  readonly tally: TallySnapshot;
  /** Records that the process has read from each input of the run. */
  readonly records: readonly number[];
  /** Bytes of the inputs that it has consumed, as they lie on disk. */
  readonly bytesRead: number;
  readonly batches: number;
  readonly retries: number;
  /** Without those that are made of what all shards have counted. */
  readonly notices: readonly string[];
  readonly duplicates: DuplicatesSnapshot;
  readonly delivery: DeliverySnapshot;
  /** `null` where documents were not counted on the way. */
  readonly survey: ShardSurvey | null;
  /** The files of rejects that it has written itself; none if it hands its rejects on. */
  readonly rejects: readonly RejectsReport[];
  readonly readToEnd: boolean;
  readonly stop: StopReport | null;
}

/** What a process has found out about the documents of its shard. */
interface ShardSurvey {
  readonly documents: SurveySummary;
  readonly requests: RequestFigures;
}

/**
 * Closes a process's outcomes and rejects, and says what became of every record.
 * @param before how many records of the input come before those that the process reads
 */
export function tellShard(run: PreparedRun, kept?: Run, before = 0): ShardReport {
  const { recorder, findings, sources, stops } = run;
  recorder.close(commandOf(run));
  if (kept !== undefined && !recorder.readToEnd) countUnread(run, kept, before);
  const rejects = closeRejects(run);
  const { reason } = stops;
  return {
    tally: recorder.tally.snapshot(),
    records: sources.map(({ input }) => recorder.numbers.readOf(input)),
    bytesRead: run.progress().bytesRead,
    batches: recorder.batches,
    retries: recorder.retries,
    notices: [...run.notices],
    duplicates: findings.duplicates.snapshot(),
    delivery: findings.delivery.snapshot(),
    survey: surveyed(findings.survey),
    rejects,
    readToEnd: recorder.readToEnd,
    // A report holds no errors.
    stop: reason === undefined ? null : { kind: reason.kind, message: reason.message },
  };
}

/** The run that shards are of, as the process knows it that merges them. */
export interface WholeRun extends Pick<PreparedRun, 'id' | 'startedMs' | 'target' | 'drift'> {
  /** What all shards together have read of each is put in. */
  readonly inputs: readonly InputReport[];
  readonly transform: Pick<TransformPlan, 'mapping' | 'maker' | 'surveys'>;
  /** What a person was told before the shards were begun. */
  readonly notices: readonly string[];
  /** What ended all of them early, if it was none of them. */
  readonly stop: StopReport | null;
  /** Whether the shards that are merged cover the inputs; `false` if some were never begun. */
  readonly isCovered: boolean;
  /** Whether the run is kept, and its inputs can be read again. */
  readonly canBeResumed: boolean;
}

/**
 * The report of a run.
 * @param shards in the order of inputs and positions
 */
export function mergeShards(shards: readonly ShardReport[], whole: WholeRun): Report {
  const command = commandOf(whole);
  const tally = mergeTallies(shards, whole);
  const counts = tally.counts();
  const records = whole.inputs.map((_, n) => sumOf(shards, (shard) => shard.records[n] ?? 0));
  const read = records.reduce((sum, number) => sum + number, 0);
  const elapsedMs = Date.now() - whole.startedMs;
  const problems = tally.problems();
  const stop = stopOf(shards, whole);
  const status = statusOf(stop?.kind);
  const readToEnd = whole.isCovered && shards.every((shard) => shard.readToEnd);
  const isSomethingLeft = counts.unsent + counts.unknown > 0 || !readToEnd;
  return {
    command,
    run: whole.id,
    status,
    stop,
    exitCode: exitCodeOf({ command, status, stop, counts }),
    inputs: whole.inputs.map((input, n) => ({
      ...input,
      records: records[n] ?? 0,
      counts: tally.countsOf(n),
    })),
    mapping: whole.transform.mapping.name,
    target: whole.target,
    counts,
    batches: sumOf(shards, ({ batches }) => batches),
    retries: sumOf(shards, ({ retries }) => retries),
    elapsedMs,
    recordsPerSecond: Math.round((read * 1000) / Math.max(1, elapsedMs)),
    notices: [...noticesOf(shards, whole), ...countedNotices(shards)],
    problems,
    drift: whole.drift,
    coverage: coverageIn(shards, whole, { counts, problems }),
    delivery: whole.target === null ? null : deliveryOf(shards, whole),
    rejects: shards.flatMap(({ rejects }) => rejects),
    unknown: unknownOf(shards, tally),
    resumable: whole.canBeResumed && isSomethingLeft,
  };
}

function commandOf({ target }: Pick<PreparedRun, 'target'>): Report['command'] {
  return target === null ? 'validate' : 'import';
}

/** A resumed run that ended before it came as far as it had been: what it knew still holds. */
function countUnread({ recorder }: PreparedRun, kept: Run, before: number): void {
  for (const [range, { kind }] of kept.unread((input) => before + recorder.numbers.readOf(input))) {
    recorder.recordSkippedByResume(range, kind === 'sending' ? 'unknown' : kind);
  }
}

/** A disk that is full costs the rejects, but not the report of what was sent. */
function closeRejects({ recorder, files, stops }: PreparedRun): readonly RejectsReport[] {
  try {
    return files.rejects?.close(recorder.readToEnd) ?? [];
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    stops.stop({ kind: 'output', message: error.message, cause: error });
    return [];
  }
}

function mergeTallies(shards: readonly ShardReport[], { inputs }: WholeRun): Tally {
  const tally = new Tally(inputs.map(({ name }) => name));
  for (const shard of shards) tally.merge(shard.tally);
  return tally;
}

/** One process tells of unknown records as they were settled. Several have no order in common. */
function unknownOf(shards: readonly ShardReport[], merged: Tally): Report['unknown'] {
  const [first, second] = shards;
  const isOne = first !== undefined && second === undefined;
  return isOne ? first.tally.unknown : merged.unknownRecords();
}

function surveyed(survey: RunSurvey | undefined): ShardSurvey | null {
  if (survey === undefined) return null;
  return { documents: survey.documents.summary(), requests: survey.requests.figures() };
}

/** `null` where nobody looked at the documents as a whole. */
function coverageIn(
  shards: readonly ShardReport[],
  { transform: { mapping, maker, surveys } }: WholeRun,
  { counts, problems }: Pick<Report, 'counts' | 'problems'>,
): Report['coverage'] {
  if (!surveys) return null;
  const told = shards.flatMap(({ survey }) => survey ?? []);
  const survey = new Survey();
  for (const { documents } of told) survey.merge(documents);
  const summary = survey.summary();
  // Nobody can tell which columns a function uses: none is called unused.
  const every = new Map(summary.columns.filled.map(([name]) => [name, []]));
  const repeated = problems.find(({ kind }) => kind === 'repeated-id');
  return coverageOf(summary, {
    usedColumns: maker === undefined ? columnFields(mapping) : every,
    repeats: { same: counts.duplicate, other: repeated?.count ?? 0 },
    requests: requestsOf(told),
  });
}

function requestsOf(told: readonly ShardSurvey[]): RequestFigures {
  const figures = told.map(({ requests }) => requests);
  return {
    count: figures.reduce((sum, { count }) => sum + count, 0),
    bytes: figures.reduce((sum, { bytes }) => sum + bytes, 0),
    largest: figures.reduce((most, { largest }) => Math.max(most, largest), 0),
  };
}

function deliveryOf(shards: readonly ShardReport[], { startedMs }: WholeRun): Report['delivery'] {
  const log = new DeliveryLog(startedMs);
  for (const { delivery } of shards) log.merge(delivery);
  return log.report();
}

function sumOf(shards: readonly ShardReport[], figure: (shard: ShardReport) => number): number {
  return shards.reduce((sum, shard) => sum + figure(shard), 0);
}

/** What ended one shard may have interrupted the others: then it is the reason. */
function stopOf(shards: readonly ShardReport[], whole: WholeRun): StopReport | null {
  const stops = [whole, ...shards].flatMap(({ stop }) => stop ?? []);
  return stops.find(({ kind }) => kind !== 'interrupted') ?? stops[0] ?? null;
}

function statusOf(stop: string | undefined): Report['status'] {
  if (stop === undefined) return 'finished';
  return stop === 'interrupted' ? 'interrupted' : 'stopped';
}

/** What several shards say is said once: each process looks at the same mapping and inputs. */
function noticesOf(shards: readonly ShardReport[], whole: WholeRun): readonly string[] {
  const said = new Set<string>();
  return [whole, ...shards].flatMap(({ notices }) => {
    const fresh = notices.filter((message) => !said.has(message));
    for (const message of fresh) said.add(message);
    return fresh;
  });
}

function countedNotices(shards: readonly ShardReport[]): readonly string[] {
  const duplicates = new DuplicateProblems([]);
  for (const shard of shards) duplicates.merge(shard.duplicates);
  return duplicates.notices();
}
