import type { Counts } from '../model/record.js';

/** All reasons to end a run early; `docs/report.md` says what they mean. */
export const STOP_KINDS = [
  'too-many-errors',
  'service-down',
  'no-access',
  'source',
  'thread',
  'changed',
  'output',
  'interrupted',
] as const;

/** See {@link STOP_KINDS}. */
export type StopKind = (typeof STOP_KINDS)[number];

/** Why a run ended early. */
export interface StopReport {
  readonly kind: StopKind;
  readonly message: string;
}

/** Why a run ends before its inputs do. */
export interface Stop extends StopReport {
  /** The error behind it, if there is one. */
  readonly cause?: unknown;
}

/** What came before the place at which these happen still goes out. */
const GOES_OUT: ReadonlySet<Stop['kind']> = new Set(['source', 'thread']);

/** A share of errors says little about fewer records than this. */
const MIN_FOR_A_SHARE = 1_000;

/** When to stop because of errors. */
export type ErrorLimit =
  | { readonly kind: 'never' }
  | { readonly kind: 'count'; readonly most: number }
  | { readonly kind: 'share'; readonly most: number };

/** Decides when a run has to end early. The first reason stands. */
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

  /** Whether nothing more is to be read. */
  get stopsReading(): boolean {
    return this.#reason !== undefined;
  }

  /** Whether nothing more is to be sent. What was good before an input ended early still goes out. */
  get stopsSending(): boolean {
    return this.#stopsSending;
  }

  stop(reason: Stop): void {
    this.#reason ??= reason;
    // Also where it comes after one that only ends reading.
    this.#stopsSending ||= !GOES_OUT.has(reason.kind);
  }

  /** An interruption that came too late to leave anything undone is none. */
  forgetLateInterruption(): void {
    if (this.#reason?.kind === 'interrupted') this.#reason = undefined;
  }

  /** Looks at the share of bad records. */
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
