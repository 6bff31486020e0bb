/** Types that the stages share: records, their places, problems and outcomes. */

/** Place of a record, for people to find it. */
export interface Place {
  /** Name of the source: a path as given, `stdin`, or `records` for an iterable. */
  readonly source: string;
  /** Number of the record in its source, from 1. A header is not a record. */
  readonly record: number;
  /** Line on which the record starts, from 1; `null` if the source has no lines. */
  readonly line: number | null;
}

/** A record's values as read: CSV fields in column order, or a JSON object. */
export type RecordValue = readonly string[] | Readonly<Record<string, unknown>>;

/** Kinds of problems, described in `docs/report.md`. */
export const PROBLEM_KINDS = [
  // The record could not be read.
  'ragged',
  'not-utf8',
  'not-json',
  'not-xml',
  'not-an-object',
  'unclosed-quote',
  'malformed-quote',
  'too-deep',
  // A value could not be read, or a rule took too long.
  'unreadable-date',
  'skipped-time',
  'unreadable-number',
  'out-of-scale',
  'unlisted-value',
  'not-text',
  'mapping-failed',
  // The document breaks its schema.
  'missing-field',
  'unknown-field',
  'blank',
  'wrong-type',
  'not-allowed-value',
  'bad-format',
  'too-short',
  'too-long',
  'too-small',
  'too-large',
  'repeated-value',
  'schema',
  'broken-text',
  // The document is valid, but looks wrong.
  'future-date',
  // The document was sent before, or may have been.
  'duplicate',
  'repeated-id',
  'known',
  'changed',
  'in-doubt',
  // Outcomes of sending.
  'rejected',
  'unknown',
  'sent-again',
  'shown-twice',
] as const;

export type ProblemKind = (typeof PROBLEM_KINDS)[number];

/** A problem of a record, as one sentence. */
export interface Problem {
  readonly kind: ProblemKind;
  /** The column or document field; `null` for the whole record. */
  readonly field: string | null;
  /** States the value found (shortened), the expectation, and the remedy if there is one. */
  readonly message: string;
  /** The message without its remedy; both are absent if it has none. */
  readonly reason?: string;
  readonly remedy?: string;
  /** The values that the failing rule reads, for example `a number from 0 to 10`; any of them. */
  readonly expected?: readonly string[];
  /** The columns that the failing rule reads; absent if no rule fails. */
  readonly columns?: readonly string[];
  /** The value read from them, cut; empty if blank, absent if unknown. */
  readonly value?: string;
}

/** What a problem's causes are explained with. */
export type ProblemText = Pick<Problem, 'message' | 'reason' | 'remedy' | 'expected'>;

/** Words a problem that has a remedy. */
export function withRemedy(reason: string, remedy: string): ProblemText {
  return { message: `${reason}: ${remedy}`, reason, remedy };
}

/** A record's value, or the problem that makes it unreadable. */
export type ParsedRecord = (
  | { readonly value: RecordValue; readonly problem?: never }
  | { readonly problem: Problem; readonly value?: never }
) & {
  /** Whether some of its bytes aren't valid UTF-8: its texts have � instead. */
  readonly isDamaged?: boolean;
};

/** What skipped a record: a repeated header, the function, or the condition at an index of `skip`. */
export type SkippedBy = 'header' | 'function' | number;

/** A reason, and how many records it skipped. */
export type SkipCount = readonly [by: SkippedBy, records: number];

/** Identifies a record of an earlier run that came back as a reject. */
export interface RejectRef {
  readonly run: string;
  /** Index of the source among that run's inputs, from 0. */
  readonly input: number;
  /** Number of the record in its source, from 1. */
  readonly record: number;
}

/** A record as read, in the form in which rejects files contain it. */
export interface RecordAsRead {
  /** In UTF-8, without its line end. */
  readonly raw: Uint8Array;
  readonly shape: RecordShape;
  /**
   * For a `whole` record of a table in text: its own fields, without those appended by an earlier
   * run, and with an apostrophe before each that a spreadsheet would read as a formula.
   */
  readonly fields?: Uint8Array;
  /** The records of earlier runs that this is, if it comes from their rejects. */
  readonly rejectRefs?: readonly RejectRef[];
}

/**
 * Whether a record can be written next to others. `broken`: its end wasn't found, so an open quote
 * would swallow the following records. `ragged`: its number of fields differs from the columns, so
 * appended columns would shift. `whole`: otherwise. Each shape gets files of its own.
 */
export type RecordShape = 'whole' | 'ragged' | 'broken';

/** Outcomes: every record that is read ends as exactly one of these. */
export const OUTCOMES = [
  'skipped',
  'invalid',
  'duplicate',
  'accepted',
  'rejected',
  'unknown',
  'unsent',
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** Numbers of records by outcome; `read` is the sum of the others. */
export type Counts = Readonly<Record<'read' | Outcome, number>>;

/** Frozen, because programs receive this object itself. */
export const NO_COUNTS: Counts = Object.freeze(
  Object.fromEntries(['read', ...OUTCOMES].map((figure) => [figure, 0])) as Counts,
);

export interface Progress {
  readonly counts: Counts;
  /** Bytes of the inputs read so far, before decompression. */
  readonly bytesRead: number;
  /** Total size of the inputs, or `null` if one is unknown. */
  readonly bytesTotal: number | null;
  readonly elapsedMs: number;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
