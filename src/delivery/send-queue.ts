import type { Batch } from '../model/documents.js';

/** A batch that waits to be sent. */
export interface Waiting {
  readonly batch: Batch;
  /** How often it was sent, or tried to be, as it is. */
  readonly tries: number;
  /** Not to be sent before, in milliseconds since 1970. */
  readonly notBefore: number;
  /** The service throttled it: sending it again must not overload the service more. */
  readonly throttled: boolean;
  /** Its documents were part of a request before. */
  readonly resend?: Resend | undefined;
  /** That it is about to be sent is already being made durable: the part that is to be sent. */
  readonly intended?: Promise<Batch | undefined>;
}

/** What is known of documents that were part of a request before. */
export interface Resend {
  /** They may have been taken then. */
  readonly sentAgain: boolean;
  /** The request of which they are the proof that readings show what came after it. */
  readonly proofOf?: { readonly refused: boolean; readonly endedMs: number } | undefined;
}

/** A batch that wasn't sent before as it is. */
export function unsentBefore(batch: Batch, resend?: Resend): Waiting {
  return { batch, tries: 0, notBefore: 0, throttled: false, resend };
}

/** With more than this waiting to be sent again, nothing new is sent. */
const MAX_AGAIN = 32;

/**
 * The batches that wait, in the order in which they go: parts of a batch that was cut, then what
 * is to be sent again and may be, then new ones. What is to be sent again lets new ones pass while
 * the budget for retries is spent, until too many wait.
 */
export class SendQueue {
  readonly #budget = new RetryBudget();
  readonly #parts: Waiting[];
  readonly #again: Waiting[] = [];
  readonly #fresh: Waiting[] = [];
  readonly #ahead: number;
  /**
   * Whether new batches are wanted: once half of the places are free, until all are taken. What comes
   * together is written down together, which costs less.
   */
  wantsFresh = true;

  /** @param ahead most new batches that wait */
  constructor(parts: readonly Waiting[], ahead: number) {
    this.#parts = [...parts];
    this.#ahead = ahead;
  }

  get empty(): boolean {
    return this.#parts.length + this.#again.length + this.#fresh.length === 0;
  }

  fresh(waiting: Waiting): void {
    this.#fresh.push(waiting);
    if (this.#fresh.length >= this.#ahead) this.wantsFresh = false;
  }

  /** Takes the new batches out, as they will not be sent. */
  dropFresh(): readonly Waiting[] {
    return this.#fresh.splice(0);
  }

  again(waiting: Waiting): void {
    this.#again.push(waiting);
  }

  /** Puts parts in front of all others. */
  parts(parts: readonly Waiting[]): void {
    this.#parts.unshift(...parts);
  }

  /** Takes out what goes first, to be sent now; or says how long to wait for it, in milliseconds. */
  take(now: number): Waiting | number {
    const next = this.#parts.shift() ?? this.#takeLater(now);
    if (typeof next !== 'number') this.#budget.sent(now, next.throttled);
    return next;
  }

  #takeLater(now: number): Waiting | number {
    const budgetMs = this.#again.length === 0 ? 0 : this.#budget.waitMs(now);
    let ms = Number.POSITIVE_INFINITY;
    for (const [at, waiting] of this.#again.entries()) {
      const wait = Math.max(waiting.notBefore - now, waiting.throttled ? budgetMs : 0);
      if (wait <= 0) {
        this.#again.splice(at, 1);
        return waiting;
      }
      ms = Math.min(ms, wait);
    }
    if (this.#again.length >= MAX_AGAIN) return ms;
    const fresh = this.#fresh.shift();
    if (this.#fresh.length <= this.#ahead / 2) this.wantsFresh = true;
    return fresh ?? ms;
  }
}

const SPAN_MS = 60_000;
const SLICE_MS = 1_000;
const MAX_SHARE = 0.1;
/** A round of all that may be in flight, so that a short run needn't wait for a minute. */
const ALWAYS_ALLOWED = 32;

/**
 * Keeps retries to a tenth of what was sent within the last minute, or to 32 if that is more: a
 * service that refuses much must not get more to refuse. A retry is a request for documents that
 * the service was sent before and throttled. Halves of a refused batch are none: there are at most
 * two for each such batch, and the service has room for them. Neither are requests that never left:
 * no service had work with those.
 */
class RetryBudget {
  /** What was sent within slices of the last minute. */
  #slices: { readonly startedAt: number; requests: number; retries: number }[] = [];

  /** A request is sent. */
  sent(now: number, retry: boolean): void {
    let slice = this.#slices.at(-1);
    if (slice === undefined || now - slice.startedAt >= SLICE_MS) {
      slice = { startedAt: now, requests: 0, retries: 0 };
      this.#slices.push(slice);
    }
    slice.requests += 1;
    if (retry) slice.retries += 1;
  }

  /** How long to wait for the next retry, in milliseconds, if nothing else is sent meanwhile. */
  waitMs(now: number): number {
    this.#slices = this.#slices.filter(({ startedAt }) => now - startedAt < SPAN_MS + SLICE_MS);
    let requests = 1 + sum(this.#slices.map((slice) => slice.requests));
    let retries = 1 + sum(this.#slices.map((slice) => slice.retries));
    let ms = 0;
    for (const slice of this.#slices) {
      if (retries <= Math.max(ALWAYS_ALLOWED, requests * MAX_SHARE)) break;
      requests -= slice.requests;
      retries -= slice.retries;
      ms = slice.startedAt + SPAN_MS + SLICE_MS - now;
    }
    return ms;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
