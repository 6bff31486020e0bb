import { AuthenticationError, type DocferryError, NotFoundError } from '../model/errors.js';
import type { Counts } from '../model/record.js';

/**
 * Reasons to end a run early, explained in `docs/troubleshooting.md`. `output` is any failure to write
 * or hold something: a full disk, a journal that can't be written, a lost lock, too many ids.
 */
export const STOP_KINDS = [
  'too-many-errors',
  'service-down',
  'no-access',
  'source',
  'thread',
  'changed',
  'output',
  'shards',
  'interrupted',
] as const;

/** See {@link STOP_KINDS}. */
export type StopKind = (typeof STOP_KINDS)[number];

export interface StopReport {
  readonly kind: StopKind;
  readonly message: string;
  /** Status of the service's answer, if it refused access. */
  readonly httpStatus?: number;
}

/** Reason for an early end of a run. */
export interface Stop extends StopReport {
  readonly cause?: unknown;
}

/** Makes the report of a reason, without its cause: an error can't be written to a report. */
export function stopReport({ kind, message, cause }: Stop): StopReport {
  const isRefusal = cause instanceof AuthenticationError || cause instanceof NotFoundError;
  return isRefusal ? { kind, message, httpStatus: cause.status } : { kind, message };
}

/** Reasons after which documents already read are still sent. */
const KINDS_THAT_DRAIN: ReadonlySet<Stop['kind']> = new Set(['source', 'thread']);

/** Fewest records for a meaningful share of errors. */
const MIN_FOR_A_SHARE = 100;

export type ErrorLimit =
  | { readonly kind: 'never' }
  | { readonly kind: 'count'; readonly most: number }
  | { readonly kind: 'share'; readonly most: number };

/** Decides when a run has to end early. Keeps the first reason. */
export class StopConditions {
  readonly #errorLimit: ErrorLimit;
  #reason: Stop | undefined;
  #stopsSending = false;

  constructor(errorLimit: ErrorLimit) {
    this.#errorLimit = errorLimit;
  }

  get reason(): Stop | undefined {
    return this.#reason;
  }

  get stopsReading(): boolean {
    return this.#reason !== undefined;
  }

  /** Returns whether sending has to stop. Documents read before an input failed are still sent. */
  get stopsSending(): boolean {
    return this.#stopsSending;
  }

  stop(reason: Stop): void {
    this.#reason ??= reason;
    // Also if an earlier reason only stopped reading.
    this.#stopsSending ||= !KINDS_THAT_DRAIN.has(reason.kind);
  }

  /** Stops on an error of this class: something can't be written or held any more. Rethrows any other. */
  stopIf(error: unknown, expected: abstract new (...args: never) => DocferryError): void {
    if (!(error instanceof expected)) throw error;
    this.stop({ kind: 'output', message: error.message, cause: error });
  }

  /** Drops an interruption that came too late to leave anything undone. */
  forgetLateInterruption(): void {
    if (this.#reason?.kind === 'interrupted') this.#reason = undefined;
  }

  /** Explains why a share that was exceeded didn't end the run; empty if it wasn't. */
  unappliedLimit({ read, invalid, rejected }: Counts): readonly string[] {
    const limit = this.#errorLimit;
    const errors = invalid + rejected;
    const isUnapplied = limit.kind === 'share' && read < MIN_FOR_A_SHARE;
    if (!isUnapplied || errors <= limit.most * read) return [];
    return [
      `The limit of errors didn't apply: a share of ${Number((limit.most * 100).toFixed(6))}% counts only from ${MIN_FOR_A_SHARE} records on, and ${errors} of ${read} are invalid or rejected. For a small input, give a number.`,
    ];
  }

  checkErrors({ read, invalid, rejected }: Counts): void {
    const errors = invalid + rejected;
    const limit = this.#errorLimit;
    const tooMany =
      (limit.kind === 'count' && errors > limit.most) ||
      (limit.kind === 'share' && read >= MIN_FOR_A_SHARE && errors > limit.most * read);
    if (!tooMany) return;
    const message = `${errors} of ${read} records are invalid or rejected, which is more than allowed`;
    this.stop({ kind: 'too-many-errors', message });
  }
}
