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
  /** That it is about to be sent is already being made durable: the part that is to be sent. */
  readonly intended?: Promise<Batch | undefined>;
}

/** A batch that wasn't sent before. */
export function unsentBefore(batch: Batch): Waiting {
  return { batch, tries: 0, notBefore: 0, throttled: false };
}

/** A batch that was sent before, and found missing. */
export function sentBefore(batch: Batch): Waiting {
  return { ...unsentBefore(batch), tries: 1 };
}

/** What is first in the queue: a batch, or how long to wait for one in milliseconds. */
type First =
  | { readonly kind: 'batch'; readonly waiting: Waiting }
  | { readonly kind: 'wait'; readonly ms: number };

/** With more than this waiting to be sent again, nothing new is sent. */
const MAX_AGAIN = 32;

/**
 * The batches that wait, in the order in which they go: parts of a batch that was cut, then what
 * is to be sent again and may be, then new ones. What is to be sent again lets new ones pass while
 * the budget for retries is spent, until too many wait.
 */
export class SendQueue {
  readonly #budget = new RetryBudget();
  readonly #parts: Waiting[] = [];
  readonly #again: Waiting[] = [];
  readonly #fresh: Waiting[] = [];
  readonly #ahead: number;
  #wantsFresh = true;

  /** @param ahead most new batches that wait */
  constructor(ahead: number) {
    this.#ahead = ahead;
  }

  get empty(): boolean {
    return this.#parts.length + this.#again.length + this.#fresh.length === 0;
  }

  /**
   * Whether new batches are wanted: once half of the places are free, until all are taken. What comes
   * together is written down together, which costs less.
   */
  get wantsFresh(): boolean {
    return this.#wantsFresh;
  }

  fresh(waiting: Waiting): void {
    this.#fresh.push(waiting);
    if (this.#fresh.length >= this.#ahead) this.#wantsFresh = false;
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

  /** Takes out what goes first, if it may go. */
  take(now: number): First {
    const part = this.#parts.shift();
    if (part !== undefined) return { kind: 'batch', waiting: part };
    const budgetMs = this.#again.length === 0 ? 0 : this.#budget.waitMs(now);
    let ms = Number.POSITIVE_INFINITY;
    for (const [at, waiting] of this.#again.entries()) {
      const wait = Math.max(waiting.notBefore - now, waiting.throttled ? budgetMs : 0);
      if (wait <= 0) {
        this.#again.splice(at, 1);
        return { kind: 'batch', waiting };
      }
      ms = Math.min(ms, wait);
    }
    if (this.#again.length >= MAX_AGAIN) return { kind: 'wait', ms };
    const fresh = this.#fresh.shift();
    if (this.#fresh.length <= this.#ahead / 2) this.#wantsFresh = true;
    return fresh === undefined ? { kind: 'wait', ms } : { kind: 'batch', waiting: fresh };
  }

  /** A batch that was taken out is sent. */
  sent(now: number, { throttled }: Waiting): void {
    this.#budget.sent(now, throttled);
  }
}

const SPAN_MS = 60_000;
const SLICE_MS = 1_000;
const MAX_SHARE = 0.1;
/** A round of all that may be in flight, so that a short run needn't wait for a minute. */
const ALWAYS_ALLOWED = 32;

/** What was sent within one slice of the last minute. */
interface Slice {
  readonly startedAt: number;
  requests: number;
  retries: number;
}

/**
 * Keeps retries to a tenth of what was sent within the last minute, or to 32 if that is more: a
 * service that refuses much must not get more to refuse. A retry is a request for documents that
 * the service was sent before and throttled. Halves of a refused batch are none: there are at most
 * two for each such batch, and the service has room for them. Neither are requests that never left:
 * no service had work with those.
 */
export class RetryBudget {
  #slices: Slice[] = [];

  /** A request is sent. */
  sent(now: number, retry: boolean): void {
    const last = this.#slices.at(-1);
    const slice =
      last !== undefined && now - last.startedAt < SLICE_MS
        ? last
        : { startedAt: now, requests: 0, retries: 0 };
    if (slice !== last) this.#slices.push(slice);
    slice.requests += 1;
    if (retry) slice.retries += 1;
  }

  /** How long to wait for the next retry, in milliseconds, if nothing else is sent meanwhile. */
  waitMs(now: number): number {
    this.#slices = this.#slices.filter(({ startedAt }) => now - startedAt < SPAN_MS + SLICE_MS);
    let requests = 1;
    let retries = 1;
    for (const slice of this.#slices) {
      requests += slice.requests;
      retries += slice.retries;
    }
    if (allows(requests, retries)) return 0;
    for (const slice of this.#slices) {
      requests -= slice.requests;
      retries -= slice.retries;
      if (allows(requests, retries)) return slice.startedAt + SPAN_MS + SLICE_MS - now;
    }
    return 0;
  }
}

function allows(requests: number, retries: number): boolean {
  return retries <= Math.max(ALWAYS_ALLOWED, requests * MAX_SHARE);
}
