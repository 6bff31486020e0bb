const SPAN_MS = 60_000;
const SLICE_MS = 1_000;
const MOST_SHARE = 0.1;
/** A round of all that may be under way, so that a short run needn't wait for a minute. */
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
 * the service was sent before and refused because it was pressed. Halves of a refused batch are
 * none: there are at most two for each such batch, and the service has room for them. Neither are
 * requests that never left: no service had work with those.
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
  return retries <= Math.max(ALWAYS_ALLOWED, requests * MOST_SHARE);
}
