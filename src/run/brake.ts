import type { Verdict } from '../delivery/classify-answer.js';
import type { ErrorLimit } from '../options.js';
import type { Counts } from '../record.js';

/** Why a run ends before its inputs do. */
export interface Stop {
  readonly kind:
    | 'too-many-errors'
    | 'service-down'
    | 'no-access'
    | 'source'
    | 'thread'
    | 'output'
    | 'interrupted';
  readonly message: string;
}

/** What came before the place at which these happen still goes out. */
const GOES_OUT: ReadonlySet<Stop['kind']> = new Set(['source', 'thread']);

/** This many requests in a row without a usable answer, and the service is taken to be down. */
const MOST_UNKNOWN_IN_A_ROW = 3;
/** A share of errors says little about fewer records than this. */
const FEWEST_FOR_A_SHARE = 100;

/** Decides when a run has to end early. The first reason stands. */
export class Brake {
  readonly #errorLimit: ErrorLimit;
  #unknownInARow = 0;
  #stop: Stop | undefined;

  constructor(errorLimit: ErrorLimit) {
    this.#errorLimit = errorLimit;
  }

  get stop(): Stop | undefined {
    return this.#stop;
  }

  /** Whether nothing more is to be read. */
  get stopsReading(): boolean {
    return this.#stop !== undefined;
  }

  /** Whether nothing more is to be sent. What was good before an input broke off still goes out. */
  get stopsSending(): boolean {
    return this.#stop !== undefined && !GOES_OUT.has(this.#stop.kind);
  }

  pull(stop: Stop): void {
    this.#stop ??= stop;
  }

  /** An interruption that came too late to leave anything undone is none. */
  forgetLateInterruption(): void {
    if (this.#stop?.kind === 'interrupted') this.#stop = undefined;
  }

  /** Looks at the share of bad records. */
  checkErrors({ read, invalid, rejected }: Counts): void {
    const errors = invalid + rejected;
    const limit = this.#errorLimit;
    const tooMany =
      (limit.kind === 'count' && errors > limit.most) ||
      (limit.kind === 'share' && read >= FEWEST_FOR_A_SHARE && errors > limit.most * read);
    if (!tooMany) return;
    const message = `${errors} of ${read} records are invalid or rejected, which is more than allowed`;
    this.pull({ kind: 'too-many-errors', message });
  }

  /** Looks at how the service answers. */
  checkVerdict(verdict: Verdict): void {
    this.#unknownInARow = verdict.kind === 'unknown' ? this.#unknownInARow + 1 : 0;
    if (verdict.kind === 'no-access') this.pull({ kind: 'no-access', message: verdict.message });
    if (verdict.kind === 'unsent') {
      const message = `the request could not be sent: ${verdict.message}`;
      this.pull({ kind: 'service-down', message });
    }
    if (verdict.kind === 'unknown' && this.#unknownInARow >= MOST_UNKNOWN_IN_A_ROW) {
      const message = `${this.#unknownInARow} requests in a row got no usable answer; the last: ${verdict.message}`;
      this.pull({ kind: 'service-down', message });
    }
  }
}
