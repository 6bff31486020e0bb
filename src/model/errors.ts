import { distance } from 'fastest-levenshtein';

/**
 * Errors are for what ends a run or keeps it from starting. What is wrong with a record is a value
 * (see `Problem` in `record.ts`). Each message names the place, the reason and the remedy.
 */

/** Any error that docferry raises on purpose; `exitCode` is the command's exit status for it. */
export abstract class DocferryError extends Error {
  abstract readonly exitCode: number;
}

/** The message of whatever was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** `, did you mean "…"?`, or nothing when no candidate is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? '' : `, did you mean ${JSON.stringify(nearest)}?`;
}

/**
 * The name that was probably meant: the candidate with the fewest edits, if few enough that a
 * reader would take it for a slip. Letters that differ only in case count as equal.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let nearest: string | undefined;
  let fewest = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const edits = distance(wanted, candidate.toLowerCase());
    // A name that shares no letter with the one written is no slip of it.
    if (edits < fewest && edits < Math.max(wanted.length, candidate.length)) {
      fewest = edits;
      nearest = candidate;
    }
  }
  return nearest;
}

/** An option that can't be used: unknown, missing, of the wrong type, or at odds with another. */
export class OptionError extends DocferryError {
  override readonly name = 'OptionError';
  readonly exitCode = 2;
}

/** A part of a text. */
export interface PlaceInText {
  /** Of its first character, from 1. */
  readonly line: number;
  /** Likewise. */
  readonly column: number;
  /** Of its first character, from 0, in UTF-16 code units. */
  readonly offset: number;
  /** Behind its last character; the offset itself where nothing stands that should. */
  readonly end: number;
}

/** One thing in a mapping's text that is wrong, or that a person has to look at. */
export interface MappingMistake extends PlaceInText {
  /** What is wrong, what was expected, and the nearest name. */
  readonly message: string;
  /** With an error no run starts; a warning is a TODO, or an `asOf` that the run has to state. */
  readonly severity: 'error' | 'warning';
  /** Keys and indexes from the top of the mapping; of a TODO, those of what it stands at. */
  readonly path: readonly (string | number)[];
}

/** A mapping file that can't be used. The message names file, line, column and the nearest name. */
export class MappingError extends DocferryError {
  override readonly name = 'MappingError';
  readonly exitCode = 2;
  /** What the message says, as data; none of a mapping without a text, which a program gave. */
  readonly mistakes: readonly MappingMistake[];

  constructor(message: string, mistakes: readonly MappingMistake[] = []) {
    super(message);
    this.mistakes = mistakes;
  }
}

/** A source that can't be opened or understood, before anything was sent. */
export class SourceError extends DocferryError {
  override readonly name = 'SourceError';
  readonly exitCode = 2;
}

export const DRIFT_KINDS = [
  'columns',
  'blank',
  'invalid',
  'skipped',
  'metric',
  'dates',
  'language',
  'length',
] as const;

/** See {@link DRIFT_KINDS}. */
export type DriftKind = (typeof DRIFT_KINDS)[number];

/** Something in which a file has drifted from what its mapping expects. */
export interface DriftFinding {
  readonly kind: DriftKind;
  /** The column, metric or language; `null` where the whole file is meant. */
  readonly name: string | null;
  /** What was expected and what was found, for people to read, such as `4.5 %` or `0 to 10`. */
  readonly expected: string;
  readonly found: string;
  /** Both in one clause. */
  readonly message: string;
}

/** A finding, and the input that it was found in. */
export interface InputDrift extends DriftFinding {
  readonly source: string;
}

/** The caller's signal was aborted before a run had begun, so there is no report. */
export class InterruptedError extends DocferryError {
  override readonly name = 'InterruptedError';
  readonly exitCode = 130;

  constructor({ reason }: AbortSignal) {
    super('Interrupted before any record was read. Nothing was sent. Run it again.', {
      cause: reason,
    });
  }
}

/** A source that no longer looks as its mapping expects, before anything was sent. */
export class DriftError extends DocferryError {
  override readonly name = 'DriftError';
  readonly exitCode = 2;
  readonly drift: readonly InputDrift[];

  constructor(message: string, drift: readonly InputDrift[]) {
    super(message);
    this.drift = drift;
  }
}

/** A source that ended or failed in the middle: what was read before it stands. */
export class SourceBrokenError extends DocferryError {
  override readonly name = 'SourceBrokenError';
  readonly exitCode = 4;
}

/** A worker thread that died over a chunk: what was read before it stands. */
export class ThreadDiedError extends DocferryError {
  override readonly name = 'ThreadDiedError';
  readonly exitCode = 4;
}

/** A run that can't be resumed: it isn't there, is running, or something has changed since. */
export class ResumeError extends DocferryError {
  override readonly name = 'ResumeError';
  readonly exitCode = 2;
}

/** The journal or the ledger can't be read or written: nothing more can be sent. */
export class JournalError extends DocferryError {
  override readonly name = 'JournalError';
  readonly exitCode = 4;
}

/** The service refused the credentials or the monitoring. */
export class AccessError extends DocferryError {
  override readonly name: string = 'AccessError';
  readonly exitCode = 3;
}

/** What the service answered a call that failed. */
export interface Refused {
  /** The HTTP status. */
  readonly status: number;
  /** What its error object says; empty if the answer was none. */
  readonly messages: readonly string[];
}

/** What the two refusals of access have in common. */
abstract class RefusedAccess extends AccessError implements Refused {
  readonly status: number;
  readonly messages: readonly string[];

  constructor(message: string, { status, messages }: Refused) {
    super(message);
    this.status = status;
    this.messages = messages;
  }
}

/** The service refused who asks: 401, or 403 for what this user may not do. */
export class AuthenticationError extends RefusedAccess {
  override readonly name = 'AuthenticationError';
}

/** What the call names is not there: 404. */
export class NotFoundError extends RefusedAccess {
  override readonly name = 'NotFoundError';
}

/**
 * The service refused a call for any other reason, or its answer can't be used. The command's exit
 * status is 2 if the call itself is at fault (4xx, but 408 and 429), else 4.
 */
export class ServiceError extends DocferryError implements Refused {
  override readonly name = 'ServiceError';
  readonly exitCode: number;
  readonly status: number;
  readonly messages: readonly string[];
  /** How long the service asks to be left alone (`Retry-After`), in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    { status, messages, retryAfterMs }: Refused & { readonly retryAfterMs?: number | undefined },
  ) {
    super(message);
    const callersFault = status >= 400 && status < 500 && status !== 408 && status !== 429;
    this.exitCode = callersFault ? 2 : 4;
    this.status = status;
    this.messages = messages;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The service can't be reached, or gave no whole answer. */
export class ServiceDownError extends DocferryError {
  override readonly name = 'ServiceDownError';
  readonly exitCode = 4;
  /** Whether the call may have changed something all the same: it was sent, at least in part. */
  readonly mayHaveBeenApplied: boolean;
  /** Of the failure of the connection, such as `ECONNREFUSED`; `cause` is its error. */
  readonly code: string | undefined;

  constructor(
    message: string,
    {
      mayHaveBeenApplied = false,
      code,
      ...options
    }: {
      readonly mayHaveBeenApplied?: boolean;
      readonly code?: string;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, options);
    this.mayHaveBeenApplied = mayHaveBeenApplied;
    this.code = code;
  }
}
