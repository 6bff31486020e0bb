/**
 * The words the stages share: a record, its place, what was wrong with it, and what became of it.
 */

/** Where a record stands, so that a person finds it. */
export interface Place {
  /** The source's name: a path as given, `stdin`, or `records` for an iterable. */
  readonly source: string;
  /** Number of the record in its source, from 1. A header is not a record. */
  readonly record: number;
  /** The line on which the record starts, from 1; `null` where a source has no lines. */
  readonly line: number | null;
}

/** A record's values as read: CSV fields in column order, or a JSON object. */
export type RecordValue = readonly string[] | Readonly<Record<string, unknown>>;

/** All kinds of problems; `docs/report.md` says what they mean. */
export const PROBLEM_KINDS = [
  // The record could not be read.
  'ragged',
  'not-utf8',
  'not-json',
  'not-an-object',
  'unclosed-quote',
  'malformed-quote',
  'too-deep',
  // A value could not be read, or a rule took too long.
  'unreadable-date',
  'skipped-time',
  'unreadable-number',
  'out-of-scale',
  'not-text',
  'slow-expression',
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
  // It is there already, or was.
  'duplicate',
  'repeated-id',
  'known',
  'changed',
  'in-doubt',
  // What the service made of it.
  'rejected',
  'unknown',
  'sent-again',
  'shown-twice',
] as const;

/** See {@link PROBLEM_KINDS}. */
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

/** One thing that is wrong with a record, as one sentence. */
export interface Problem {
  /** A stable name to group by. */
  readonly kind: ProblemKind;
  /** The column or the document's field that is concerned; `null` for the whole record. */
  readonly field: string | null;
  /** What was found (shortened), what was expected, and the remedy where there is one. */
  readonly message: string;
}

/** A record as read, or why it can't be. */
export type ParsedRecord = (
  | { readonly value: RecordValue; readonly problem?: never }
  | { readonly problem: Problem; readonly value?: never }
) & {
  /** The first of its bytes that are not UTF-8, for which its texts have �; absent if all are. */
  readonly stray?: StrayByte | undefined;
};

/** A byte that belongs to no character, and its offset in the decompressed source. */
export interface StrayByte {
  readonly byte: number;
  readonly offset: number;
}

/** Which record of which run was given back. */
export interface Origin {
  /** The run's id. */
  readonly run: string;
  /** Index of the source among that run's inputs, from 0. */
  readonly input: number;
  /** Number of the record in its source, from 1. */
  readonly record: number;
}

/** A record as it was read, and how it can stand beside others in a file of rejects. */
export interface RecordAsRead {
  /** In UTF-8, without its line end. */
  readonly raw: Uint8Array;
  readonly shape: RecordShape;
  /**
   * Of a whole record of a table in text: its own fields, without what an earlier run appended, and
   * with an apostrophe before each that a spreadsheet would take for a formula.
   */
  readonly fields?: Uint8Array;
  /** Which records of earlier runs it is, for one that comes from their rejects. */
  readonly origins?: readonly Origin[];
}

/**
 * How a record stands beside others: `broken` if its end could not be made out, so that an open
 * quote would swallow the records behind it; `ragged` if it has not a field for each column, so
 * that columns behind it would be taken for its own; `whole` otherwise. Each has files of its own.
 */
export type RecordShape = 'whole' | 'ragged' | 'broken';

/** What becomes of a record. Every record that is read ends as exactly one of these. */
export const OUTCOMES = [
  'skipped',
  'invalid',
  'duplicate',
  'accepted',
  'rejected',
  'unknown',
  'unsent',
] as const;

/** See {@link OUTCOMES}. */
export type Outcome = (typeof OUTCOMES)[number];

/** How many records were read, and what became of them: `read` is the sum of the others. */
export type Counts = Readonly<Record<'read' | Outcome, number>>;

/** Programs are given it as it is, so it can't be written to. */
export const NO_COUNTS: Counts = Object.freeze(
  Object.fromEntries(['read', ...OUTCOMES].map((figure) => [figure, 0])) as Counts,
);

/** How far a run is. */
export interface Progress {
  readonly counts: Counts;
  /** Bytes of the inputs consumed so far, as they lie on disk. */
  readonly bytesRead: number;
  /** Size of all inputs, or `null` if one of them doesn't tell. */
  readonly bytesTotal: number | null;
  readonly elapsedMs: number;
}

/** Whether a value has keys: an object, neither a list nor `null`. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
