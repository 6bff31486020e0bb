import type { ReadBackSettings } from './doubt.js';
import { type Look, missingFrom } from './look.js';
import type { Acknowledged } from './port.js';

/** An index that is this much slower than it was seen to be must still not mislead. */
const LAGS_PER_QUIET_TIME = 5;

/**
 * How long the service takes to show what it took, learnt from acknowledged documents: one that
 * was missing from a look and shows in a later one took at least as long as it was old in the
 * first.
 */
export class Visibility {
  readonly #leastMs: number;
  #lagMs = 0;
  /** When a document that never showed was last missing. */
  #missedMs = new Map<string, number>();
  #shown = new Set<string>();

  constructor({ quietMs, timeoutMs }: ReadBackSettings) {
    this.#leastMs = Math.max(quietMs, timeoutMs);
  }

  /** The quiet time, in milliseconds; grows with the lag that was seen. */
  get quietMs(): number {
    return Math.max(this.#leastMs, LAGS_PER_QUIET_TIME * this.#lagMs);
  }

  /**
   * Learns from a look, and says why it is stale, as half a sentence: a document is missing that
   * showed before, or that was acknowledged longer ago than the quiet time. `null`: it isn't.
   */
  note(look: Look): string | null {
    const missing = missingFrom(look);
    const stale = missing.filter((document) => this.#shouldShow(document, look.startedMs));
    this.#learn(look, missing);
    const [first] = stale;
    if (first === undefined) return null;
    const seconds = Math.round((look.startedMs - first.acknowledgedMs) / 1_000);
    return `the reading is out of date: it lacks ${stale.length} acknowledged documents, such as ${JSON.stringify(first.sourceId)}, which was acknowledged ${seconds} s before`;
  }

  #shouldShow({ sourceId, acknowledgedMs }: Acknowledged, nowMs: number): boolean {
    return this.#shown.has(sourceId) || nowMs - acknowledgedMs > this.quietMs;
  }

  /** Only what is still among the acknowledged is remembered, so memory is bounded as theirs. */
  #learn({ acknowledged, times, startedMs }: Look, missing: readonly Acknowledged[]): void {
    const missed = new Map<string, number>();
    const shown = new Set<string>();
    const lacking = new Set(missing);
    for (const document of acknowledged) {
      const { sourceId, acknowledgedMs } = document;
      const missedMs = this.#missedMs.get(sourceId);
      if (times(sourceId) > 0 || this.#shown.has(sourceId)) {
        shown.add(sourceId);
        const lagMs = missedMs === undefined ? 0 : missedMs - acknowledgedMs;
        this.#lagMs = Math.max(this.#lagMs, lagMs);
      } else if (lacking.has(document)) missed.set(sourceId, startedMs);
      else if (missedMs !== undefined) missed.set(sourceId, missedMs);
    }
    this.#missedMs = missed;
    this.#shown = shown;
  }
}
