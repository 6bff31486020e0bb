import type { Coverage } from '../coverage/coverage.js';
import type { NumberFigures } from '../coverage/number-spread.js';
import type { Counted } from '../coverage/value-counts.js';
import type { InputDrift } from '../model/errors.js';
import type { Counts } from '../model/record.js';
import type { EventStamp, EventWith, InputReport } from '../outcomes/events.js';
import type { StopReport } from '../outcomes/stop-conditions.js';
import type { ProblemGroup, UnknownRecords } from '../outcomes/tally.js';
import type { TimelinePoint } from '../outcomes/timeline.js';
import type { RejectsReport } from './rejects/rejects.js';

/** See {@link EventWith}. */
export type RunEvent = EventWith<Report> & EventStamp;

/**
 * What became of a run, down to every record: this is what `--json` prints and the library gives.
 * `schemas/report.schema.json` describes it for other programs; both change only together.
 */
export interface Report {
  readonly command: 'import' | 'validate';
  /** The run's id. */
  readonly run: string;
  readonly status: 'finished' | 'stopped' | 'interrupted';
  /** Why the run ended before its inputs did; `null` when it went to the end. */
  readonly stop: StopReport | null;
  readonly exitCode: ExitCode;
  readonly inputs: readonly InputReport[];
  /** The mapping's name. */
  readonly mapping: string;
  /** Where documents went; `null` when nothing was to be sent. */
  readonly target: { readonly baseUrl: string; readonly monitoring: number } | null;
  readonly counts: Counts;
  /** Requests that were made with documents. */
  readonly batches: number;
  /** How many of them were made again. */
  readonly retries: number;
  readonly elapsedMs: number;
  readonly recordsPerSecond: number;
  /** What a person should know, such as a guessed encoding. */
  readonly notices: readonly string[];
  /** What was wrong, grouped by kind, the most frequent first. */
  readonly problems: readonly ProblemGroup[];
  /**
   * In what the inputs have drifted from what the mapping expects; `null` if it expects nothing, and
   * for a run that was resumed: its inputs were compared when it began.
   */
  readonly drift: readonly InputDrift[] | null;
  /** What the documents look like as a whole, for a validation; `null` for an import. */
  readonly coverage: Coverage | null;
  /**
   * How documents were delivered, by the processes that lived to tell; `null` for a validation, and of
   * what an earlier process of a resumed run has sent it says nothing.
   */
  readonly delivery: DeliveryReport | null;
  /** The files that hold invalid and rejected records; empty when none were asked for or needed. */
  readonly rejects: readonly RejectsReport[];
  /** Its own files that could not be written. */
  readonly unwritten: readonly UnwrittenFile[];
  /** The records whose outcome is unknown, in the order of inputs and records. */
  readonly unknown: readonly UnknownRecords[];
  /** Whether something is left to do, and the run is kept so that it can be resumed. */
  readonly resumable: boolean;
}

/** A file of the report that could not be written. */
export interface UnwrittenFile {
  /** Option that asked for it. */
  readonly option: 'reportFile' | 'htmlFile';
  readonly path: string;
  /** Why, and what is left of it. */
  readonly message: string;
}

/** How documents were delivered. */
export interface DeliveryReport {
  /** What happened when, in at most 240 spans; those in which nothing did are left out. */
  readonly timeline: readonly TimelinePoint[];
  /** How long requests with documents took, in milliseconds; `null` if there was none. */
  readonly latency: NumberFigures | null;
  /** The status of each of their answers, the most frequent first; `no answer` if none came. */
  readonly statuses: readonly Counted[];
}

/**
 * The command's exit status for a run that has a report; see `docs/report.md`. Code 2 belongs to
 * runs that can't start: they have none.
 */
export type ExitCode = 0 | 1 | 3 | 4 | 5 | 130;

/**
 * The exit code of a run that has a report. The first that applies: interrupted, no access, stopped
 * early, unknown outcomes, invalid or rejected records, all well.
 */
export function exitCodeOf({
  command,
  status,
  stop,
  counts,
}: Pick<Report, 'command' | 'status' | 'stop' | 'counts'>): ExitCode {
  if (status === 'interrupted') return 130;
  if (stop?.kind === 'no-access') return 3;
  const leftOver = command === 'import' && counts.unsent > 0;
  if (status === 'stopped' || leftOver) return 4;
  if (counts.unknown > 0) return 5;
  return counts.invalid + counts.rejected > 0 ? 1 : 0;
}

const EXITS: Readonly<Record<ExitCode, string>> = {
  0: 'Every record was accepted, skipped or a duplicate.',
  1: 'It finished, but some records are invalid or rejected.',
  3: 'The service refused the credentials or the monitoring.',
  4: 'It ended before everything was sent.',
  5: 'It finished, but the outcome of some documents is unknown.',
  130: 'Somebody interrupted it.',
};

/** What other words are needed for where nothing is sent. */
const EXITS_OF_VALIDATION: Readonly<Partial<Record<ExitCode, string>>> = {
  0: 'Every record is valid, skipped or a duplicate.',
  1: 'It finished, but some records are invalid.',
  4: 'It ended before its inputs did.',
};

/** What the exit code of a run means, as one sentence. */
export function exitText({ command, exitCode }: Pick<Report, 'command' | 'exitCode'>): string {
  const special = command === 'validate' ? EXITS_OF_VALIDATION[exitCode] : undefined;
  return special ?? EXITS[exitCode];
}
