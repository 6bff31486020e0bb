import type { Coverage } from '../coverage/coverage.js';
import type { NumberFigures } from '../coverage/number-spread.js';
import type { Counted } from '../coverage/value-counts.js';
import type { InputDrift, OpenQuestion } from '../model/errors.js';
import type { Counts, Outcome, ProblemKind } from '../model/record.js';
import type { EventStamp, EventWith, InputReport } from '../outcomes/events.js';
import type { CausePlace, ProblemGroup, ValueCount } from '../outcomes/problem-tally.js';
import type { StopReport } from '../outcomes/stop-conditions.js';
import type { SkipReport, UnknownRecords } from '../outcomes/tally.js';
import type { TimelinePoint } from '../outcomes/timeline.js';
import type { RejectsReport } from './rejects/rejects.js';

export type RunEvent = EventWith<Report> & EventStamp;

/** Reports of earlier versions lack it, and the fields that are optional here. */
export const REPORT_VERSION = 2;

/**
 * Result of a run, with the outcome of every record; printed by `--json` and returned by the
 * library. `schemas/report.schema.json` describes it for other programs; change both together.
 */
export interface Report {
  /** Version of the report's format. */
  readonly version?: number;
  /** Version of the program. */
  readonly docferry?: string;
  readonly command: 'import' | 'validate';
  /** Id of the run. */
  readonly run: string;
  readonly status: 'finished' | 'stopped' | 'interrupted';
  /** Reason for ending before the inputs did; `null` if all of them were processed. */
  readonly stop: StopReport | null;
  readonly exitCode: ExitCode;
  /** Time when this process started or resumed the run, ISO 8601 in UTC. */
  readonly started?: string;
  readonly ended?: string;
  /** IANA name of the machine's time zone. */
  readonly timeZone?: string;
  readonly inputs: readonly InputReport[];
  /** Name of the mapping. */
  readonly mapping: string;
  /** Its file as given; `null` if it isn't a file. */
  readonly mappingFile: string | null;
  /**
   * SHA-256 of the mapping's file, or of its JSON with sorted keys if it isn't a file; `null` for a
   * function.
   */
  readonly mappingFingerprint?: string | null;
  /** Questions that the mapping leaves open, in its order; none if it came as an object. */
  readonly openQuestions?: readonly OpenQuestion[];
  /** Service and monitoring that documents were sent to; `null` for a validation. */
  readonly target: { readonly baseUrl: string; readonly monitoring: number } | null;
  readonly counts: Counts;
  /** Reasons for skipping records, most frequent first; adds up to `counts.skipped`. */
  readonly skips?: readonly SkipReport[];
  /**
   * The last finished import with the same mapping into the same monitoring; `null` if the state
   * folder has none.
   */
  readonly earlier?: EarlierRun | null;
  /** Number of requests with documents, including retries. */
  readonly batches: number;
  /** Number of retried requests. */
  readonly retries: number;
  readonly elapsedMs: number;
  readonly recordsPerSecond: number;
  /** Facts to know, for example a guessed encoding. */
  readonly notices: readonly string[];
  /**
   * Explains in a sentence why (nearly) no record is valid, or none has a score, sentiment, date or
   * language; otherwise `null`.
   */
  readonly diagnosis: string | null;
  /** The causes of problems, sorted by the records that a fix brings. */
  readonly causes: readonly Cause[];
  /** Problems grouped by kind, most frequent first. */
  readonly problems: readonly ProblemGroup[];
  /**
   * Differences between the inputs and what the mapping expects; `null` if it expects nothing, and
   * for a resumed run, whose inputs were compared when it began.
   */
  readonly drift: readonly InputDrift[] | null;
  /** Statistics of the documents, for a validation; `null` for an import. */
  readonly coverage: Coverage | null;
  /**
   * Figures of the delivery, by processes that ended normally; `null` for a validation.
   * Excludes what earlier processes of a resumed run sent.
   */
  readonly delivery: DeliveryReport | null;
  /** Files with invalid and rejected records; empty if none were requested or needed. */
  readonly rejects: readonly RejectsReport[];
  /** Report files that could not be written. */
  readonly unwritten: readonly UnwrittenFile[];
  /** Records with an unknown outcome, in order. */
  readonly unknown: readonly UnknownRecords[];
  /** Whether the run is stored for later ones: not with `stateDir: false`; `null` for a validation. */
  readonly remembered?: boolean | null;
  /**
   * Whether an import with this mapping sends nothing unless it is told the day of the export
   * (`asOf`), from which the dates of publication count back.
   */
  readonly needsAsOf?: boolean;
  /**
   * Flags of the command that decide how records are read and mapped, quoted for a shell, for example
   * `--delimiter`, `";"`. Absent in reports of earlier versions.
   */
  readonly readingFlags?: readonly string[];
  /** Flag for the place of runs, for example `--state-dir`, `state`, unless it is the default. */
  readonly stateFlags?: readonly string[];
  /** Whether work is left and the run is stored, so that it can be resumed. */
  readonly resumable: boolean;
}

/** Outcome of an earlier run, to compare with. */
export interface EarlierRun extends Pick<Report, 'run' | 'counts'> {
  /** ISO 8601 in UTC. */
  readonly started: string;
  /** Names of its inputs; absent in outcomes of earlier versions. */
  readonly sources?: readonly string[];
  /** Figures of its documents; absent if they were not counted. */
  readonly fills?: {
    readonly documents: number;
    /** Number of documents that have each field. */
    readonly fields: Readonly<Record<string, number>>;
    /** Absent if no document has a score. Outcomes of earlier versions lack all three. */
    readonly meanScore?: number;
    readonly sentiments?: Readonly<Record<string, number>>;
    readonly languages?: Readonly<Record<string, number>>;
  };
}

export type FixedIn = 'export' | 'mapping' | 'service';

/** Problems of one kind that come from the same columns or, without any, concern the same field. */
export interface Cause {
  readonly kind: ProblemKind;
  /** The problem, as a clause. */
  readonly message: string;
  /** The edit that cures it; `null` if the message has it. */
  readonly remedy: string | null;
  /** Where it can be fixed, the likelier place first; absent in reports of earlier versions. */
  readonly fixedIn?: readonly FixedIn[];
  /** Columns that the failing rules read; empty if it isn't a rule that fails. */
  readonly columns: readonly string[];
  /** Number of problems by field, most frequent first; problems of whole records have none. */
  readonly fields: Readonly<Record<string, number>>;
  /** Number of records that have it. */
  readonly records: number;
  /** Number of them that have no other cause: that many more are valid once it is cured. */
  readonly cures: number;
  /** Values that were read, the most frequent first; at most 5. */
  readonly values: readonly ValueCount[];
  /** Lines of the failing rules in the mapping's file; empty if unknown. */
  readonly mappingLines: readonly number[];
  /** The first 25 records, each with the value read from it. */
  readonly places: readonly CausePlace[];
}

/** Report file that could not be written. */
export interface UnwrittenFile {
  /** Option that requested it. */
  readonly option: 'reportFile' | 'htmlFile';
  readonly path: string;
  /** The reason, and what is left of the file. */
  readonly message: string;
}

export interface DeliveryReport {
  /** At most 240 time spans; idle ones are omitted. */
  readonly timeline: readonly TimelinePoint[];
  /** Duration of requests with documents, in milliseconds; `null` if there were none. */
  readonly latency: NumberFigures | null;
  /** Statuses of the responses, most frequent first; `no answer` if none came. */
  readonly statuses: readonly Counted[];
}

/**
 * Exit status of a run with a report; see `docs/report.md`. Code 2 is for runs that can't start.
 */
export type ExitCode = 0 | 1 | 3 | 4 | 5 | 130;

/**
 * Determines the exit code. The first that applies: interrupted, no access, stopped early, unknown
 * outcomes, invalid or rejected records, success.
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

const EXIT_TEXTS: Readonly<Record<ExitCode, string>> = {
  0: 'Every record was accepted, skipped or a duplicate.',
  1: 'It finished, but some records are invalid or rejected.',
  3: 'The service refused the credentials or the monitoring.',
  4: 'It ended before everything was sent.',
  5: 'It finished, but the outcome of some documents is unknown.',
  130: 'It was interrupted.',
};

/** Texts that differ for validations, which send nothing. */
const VALIDATION_EXIT_TEXTS: Readonly<Partial<Record<ExitCode, string>>> = {
  0: 'Every record is valid, skipped or a duplicate.',
  1: 'It finished, but some records are invalid.',
  4: 'It ended before its inputs did.',
};

/** Only a service on this machine, the sandbox, may be without TLS. */
export function isSandbox(target: Report['target']): boolean {
  return target?.baseUrl.startsWith('http:') === true;
}

/** Returns whether a report is good news. */
export function toneOf({
  exitCode,
  counts,
  diagnosis,
  causes,
  openQuestions = [],
}: Pick<Report, 'exitCode' | 'counts' | 'diagnosis' | 'causes' | 'openQuestions'>):
  | 'good'
  | 'mixed'
  | 'bad' {
  const isOdd =
    diagnosis !== null ||
    openQuestions.length > 0 ||
    causes.some(({ kind }) => kind === 'future-date');
  if (exitCode === 0) return counts.read === 0 || isOdd ? 'mixed' : 'good';
  return exitCode === 1 || exitCode === 5 ? 'mixed' : 'bad';
}

/** Explains an exit code in one sentence. */
export function exitText({ command, exitCode }: Pick<Report, 'command' | 'exitCode'>): string {
  const special = command === 'validate' ? VALIDATION_EXIT_TEXTS[exitCode] : undefined;
  return special ?? EXIT_TEXTS[exitCode];
}

const MEANINGS: Readonly<Record<Outcome, string>> = {
  skipped: 'skipped by the mapping, or a repeated header',
  invalid: 'not sent: see the problems',
  duplicate: 'repeated, or imported by an earlier run',
  accepted: 'accepted by the service',
  rejected: 'rejected by the service',
  unknown: 'outcome unknown: check before sending them again',
  unsent: 'not sent',
};

/** Explains an outcome. */
export function meaningOf(outcome: Outcome, command: Report['command']): string {
  const isValid = command === 'validate' && outcome === 'unsent';
  return isValid ? 'can be imported' : MEANINGS[outcome];
}

/** Names an outcome. A validation sends nothing, so its unsent records are valid. */
export function nameOfOutcome(outcome: Outcome, command: Report['command']): string {
  return command === 'validate' && outcome === 'unsent' ? 'valid' : outcome;
}
