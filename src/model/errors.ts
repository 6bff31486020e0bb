/**
 * Errors end a run or keep it from starting; problems of a record are values (`Problem` in
 * `record.ts`). Each message names the place, the reason and the remedy.
 */

/** Exit codes from the most to the least urgent: with several reasons to end, the first applies. */
const BY_URGENCY: readonly number[] = [130, 70, 3, 4, 2, 5, 1, 0];

/** Compares exit codes for sorting, the more urgent first. */
export function byUrgency(one: number, other: number): number {
  return BY_URGENCY.indexOf(one) - BY_URGENCY.indexOf(other);
}

/**
 * Base class of all errors that docferry raises on purpose; `exitCode` is the command's exit
 * status.
 */
export abstract class DocferryError extends Error {
  abstract readonly exitCode: number;
}

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Returns `; did you mean "…"?`, or '' if no candidate is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? '' : `; did you mean ${JSON.stringify(nearest)}?`;
}

/** Names up to this length may differ by one edit only. */
const SHORT_NAME = 4;

/** Finds the candidate with the fewest edits, ignoring case, if few enough for a typo. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let nearest: string | undefined;
  const most = wanted.length <= SHORT_NAME ? 1 : Math.max(2, Math.floor(wanted.length / 3));
  let fewest = most + 1;
  for (const candidate of candidates) {
    const edits = editsBetween(wanted, candidate.toLowerCase());
    // Names that share no letter aren't typos of each other.
    if (edits < fewest && edits < Math.max(wanted.length, candidate.length)) {
      fewest = edits;
      nearest = candidate;
    }
  }
  return nearest;
}

/** Letters in another order count as one edit, as typing often swaps two. */
function editsBetween(one: string, other: string): number {
  const edits = levenshtein(one, other);
  return edits === 2 && [...one].toSorted().join() === [...other].toSorted().join() ? 1 : edits;
}

/** Counts the characters to insert, leave out or replace, prefix by prefix. */
function levenshtein(one: string, other: string): number {
  const others = [...other];
  let before = Array.from({ length: others.length + 1 }, (_, length) => length);
  for (const [at, character] of [...one].entries()) {
    const edits = [at + 1];
    for (const [end, compared] of others.entries()) {
      const replaced = (before[end] ?? 0) + (character === compared ? 0 : 1);
      edits.push(Math.min(replaced, (before[end + 1] ?? 0) + 1, (edits[end] ?? 0) + 1));
    }
    before = edits;
  }
  return before.at(-1) ?? 0;
}

/** An option is unknown, missing, of the wrong type, or conflicts with another. */
export class OptionError extends DocferryError {
  override readonly name = 'OptionError';
  readonly exitCode = 2;
  /** The option at fault, as the caller names it; `undefined` if several are. */
  option?: string;
  /** The message without the option's name: `is "x"; expected a number.` */
  predicate?: string;

  /** Creates the error of one option, whose name the command line replaces by its flag. */
  static of(option: string, predicate: string): OptionError {
    const error = new OptionError(`${option} ${predicate}`);
    error.option = option;
    error.predicate = predicate;
    return error;
  }
}

export interface TextRange {
  /** Line of its first character, from 1. */
  readonly line: number;
  /** Column of its first character, from 1. */
  readonly column: number;
  /** Offset of its first character, from 0, in UTF-16 code units. */
  readonly offset: number;
  /** Offset after its last character; equals `offset` where something is missing. */
  readonly end: number;
}

/** A mistake in a mapping's text, or a note for the user to check. */
export interface MappingMistake extends TextRange {
  /** States the mistake, the expectation and the nearest name. */
  readonly message: string;
  /**
   * An error keeps runs from starting; a warning is a TODO, or a missing `asOf` that the run may
   * provide.
   */
  readonly severity: 'error' | 'warning';
  /** The question of a TODO, without that word. */
  readonly todo?: string;
  /**
   * Keys and indexes from the top of the mapping; for a TODO, the path of the key it belongs to.
   */
  readonly path: readonly (string | number)[];
}

/** A TODO of a mapping, for its author to answer. */
export interface OpenQuestion {
  /** Its line in the mapping's file. */
  readonly line: number;
  /** The question, without the word TODO. */
  readonly text: string;
}

/** A mapping can't be used. The message names file, line, column and the nearest name. */
export class MappingError extends DocferryError {
  override readonly name = 'MappingError';
  readonly exitCode = 2;
  /** The same as data; empty for a mapping given as an object. */
  readonly mistakes: readonly MappingMistake[];
  /** Path of the mapping, as it was given. */
  file?: string;

  constructor(message: string, mistakes: readonly MappingMistake[] = []) {
    super(message);
    this.mistakes = mistakes;
  }
}

/** A source can't be opened or recognised; nothing was sent. */
export class SourceError extends DocferryError {
  override readonly name = 'SourceError';
  readonly exitCode = 2;
  /** Name of the input. */
  file?: string;
}

/** Names the file that an error is about, if none is named yet. */
export function about<E extends MappingError | SourceError>(error: E, file: string): E {
  error.file ??= file;
  return error;
}

/** A difference between a file and its mapping's expectations. */
export interface DriftFinding {
  readonly kind:
    | 'columns'
    | 'blank'
    | 'invalid'
    | 'skipped'
    | 'metric'
    | 'dates'
    | 'language'
    | 'length';
  /** The column, metric or language; `null` for the whole file. */
  readonly name: string | null;
  /** Expected and found values in words, for example `4.5%` or `0 to 10`. */
  readonly expected: string;
  readonly found: string;
  readonly message: string;
}

export interface InputDrift extends DriftFinding {
  readonly source: string;
}

/** The caller's signal was aborted before the run began, so there is no report. */
export class InterruptedError extends DocferryError {
  override readonly name = 'InterruptedError';
  readonly exitCode = 130;

  constructor({ reason }: AbortSignal) {
    super('Interrupted before any record was read. Nothing was sent. Run it again.', {
      cause: reason,
    });
  }
}

/** A source no longer matches its mapping's expectations; nothing was sent. */
export class DriftError extends DocferryError {
  override readonly name = 'DriftError';
  readonly exitCode = 2;
  readonly drift: readonly InputDrift[];

  constructor(message: string, drift: readonly InputDrift[]) {
    super(message);
    this.drift = drift;
  }
}

/** A source ended or failed partway; the records read before remain valid. */
export class SourceBrokenError extends DocferryError {
  override readonly name = 'SourceBrokenError';
  readonly exitCode = 4;
}

/** A worker thread died while transforming a chunk; the records read before remain valid. */
export class ThreadDiedError extends DocferryError {
  override readonly name = 'ThreadDiedError';
  readonly exitCode = 4;
}

/** A run can't be resumed: it doesn't exist, is running, or something has changed since. */
export class ResumeError extends DocferryError {
  override readonly name = 'ResumeError';
  readonly exitCode = 2;
}

/** The journal or the ledger can't be read or written, so nothing more can be sent. */
export class JournalError extends DocferryError {
  override readonly name = 'JournalError';
  readonly exitCode = 4;
}

export class AccessError extends DocferryError {
  override readonly name: string = 'AccessError';
  readonly exitCode = 3;
}

/** The service's answer to a failed call. */
export interface Refused {
  readonly status: number;
  /** Messages of its error object; empty without one. */
  readonly messages: readonly string[];
}

abstract class RefusedAccess extends AccessError implements Refused {
  readonly status: number;
  readonly messages: readonly string[];

  constructor(message: string, { status, messages }: Refused) {
    super(message);
    this.status = status;
    this.messages = messages;
  }
}

/** The service refused the credentials (401) or the user's permission (403). */
export class AuthenticationError extends RefusedAccess {
  override readonly name = 'AuthenticationError';
}

export class NotFoundError extends RefusedAccess {
  override readonly name = 'NotFoundError';
}

/**
 * The service refused a call for another reason, or its answer can't be used. The exit status is 2
 * if the call itself is at fault (4xx except 408 and 429), else 4.
 */
export class ServiceError extends DocferryError implements Refused {
  override readonly name = 'ServiceError';
  readonly exitCode: number;
  readonly status: number;
  readonly messages: readonly string[];
  /** Wait requested by the service (`Retry-After`), in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** The message without the remedy. */
  readonly reason: string;
  readonly remedy: string | undefined;

  constructor(
    reason: string,
    {
      status,
      messages,
      retryAfterMs,
      remedy,
    }: Refused & {
      readonly retryAfterMs?: number | undefined;
      readonly remedy?: string | undefined;
    },
  ) {
    super(withRemedy(reason, remedy));
    this.reason = reason;
    this.remedy = remedy;
    const callersFault = status >= 400 && status < 500 && status !== 408 && status !== 429;
    this.exitCode = callersFault ? 2 : 4;
    this.status = status;
    this.messages = messages;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The service can't be reached, or its answer is incomplete. */
export class ServiceDownError extends DocferryError {
  override readonly name = 'ServiceDownError';
  readonly exitCode = 4;
  /** Whether the call may have taken effect, because at least part of it was sent. */
  readonly mayHaveBeenApplied: boolean;
  /** Code of the connection error, for example `ECONNREFUSED`; `cause` is the error. */
  readonly code: string | undefined;
  /** The message without the remedy. */
  readonly reason: string;
  readonly remedy: string | undefined;

  constructor(
    reason: string,
    {
      mayHaveBeenApplied = false,
      code,
      remedy,
      ...options
    }: {
      readonly mayHaveBeenApplied?: boolean;
      readonly code?: string;
      readonly remedy?: string | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    super(withRemedy(reason, remedy), options);
    this.reason = reason;
    this.remedy = remedy;
    this.mayHaveBeenApplied = mayHaveBeenApplied;
    this.code = code;
  }
}

function withRemedy(reason: string, remedy: string | undefined): string {
  return remedy === undefined ? reason : `${reason} ${remedy}`;
}
