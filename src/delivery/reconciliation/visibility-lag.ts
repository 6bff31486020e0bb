import type { Acknowledged } from '../../model/documents.js';
import type { Width } from './window.js';
import type { WindowsReading } from './windows-reading.js';

/** Safety factor: a search index may become this much slower than was observed. */
const LAGS_PER_SETTLE_TIME = 5;

/**
 * Estimates how long the service takes to show documents: if one was still missing n ms after its
 * acknowledgement and shows later, the service needs at least n ms. Near windows are read early, so
 * the estimate comes early.
 */
export class VisibilityLag {
  readonly #minSettleMs: number;
  #lagMs = 0;
  /** Time when a document that was never shown was last missing from a window. */
  readonly #missedMs: Readonly<Record<Width, Map<string, number>>> = {
    near: new Map(),
    wide: new Map(),
  };
  readonly #shown = new Set<string>();

  constructor(minSettleMs: number) {
    this.#minSettleMs = minSettleMs;
  }

  /** Settle time in milliseconds; grows with the observed lag. */
  get settleMs(): number {
    return Math.max(this.#minSettleMs, LAGS_PER_SETTLE_TIME * this.#lagMs);
  }

  /** Updates the estimate, once the windows of this width are read and no wider ones. */
  learn(reading: WindowsReading, width: Width): void {
    const { acknowledged, sightings, startedMs } = reading;
    const missedMs = this.#missedMs[width];
    for (const { sourceId, published, acknowledgedMs } of acknowledged) {
      if (this.#shown.has(sourceId)) continue;
      if (sightings.shows(sourceId)) {
        const lagMs = (missedMs.get(sourceId) ?? acknowledgedMs) - acknowledgedMs;
        this.#lagMs = Math.max(this.#lagMs, lagMs);
      } else if (reading.covers(published, width)) missedMs.set(sourceId, startedMs);
    }
  }

  /**
   * Returns, as a clause, why absence from a reading proves nothing: it lacks a document that showed
   * before, or that was acknowledged longer ago than the settle time. `null` if nothing is missing
   * that should show.
   */
  flawOf(reading: WindowsReading): string | null {
    const { acknowledged, sightings, startedMs } = reading;
    let latestMs = Number.NEGATIVE_INFINITY;
    const missing: Acknowledged[] = [];
    for (const document of acknowledged) {
      const { sourceId, published, acknowledgedMs } = document;
      if (sightings.shows(sourceId)) {
        latestMs = Math.max(latestMs, acknowledgedMs);
        this.#shown.add(sourceId);
      } else if (reading.covers(published, 'wide') && this.#shouldShow(document, startedMs)) {
        missing.push(document);
      }
    }
    const [first] = missing;
    if (first === undefined) return null;
    const hidden = missing.filter(
      ({ sourceId, acknowledgedMs }) => acknowledgedMs <= latestMs && !this.#shown.has(sourceId),
    );
    if (hidden.length > 0) return hiddenText([...new Set(hidden.map(({ sourceId }) => sourceId))]);
    const seconds = Math.round((startedMs - first.acknowledgedMs) / 1_000);
    const lacking = new Set(missing.map(({ sourceId }) => sourceId)).size;
    return `the reading is out of date: it lacks ${lacking} acknowledged documents, for example ${JSON.stringify(first.sourceId)}, which was acknowledged ${seconds} s earlier`;
  }

  #shouldShow({ sourceId, acknowledgedMs }: Acknowledged, nowMs: number): boolean {
    return this.#shown.has(sourceId) || nowMs - acknowledgedMs > this.settleMs;
  }
}

/**
 * Explains that these documents are missing although others acknowledged with or after them show.
 */
function hiddenText(sourceIds: readonly string[]): string {
  const example = JSON.stringify(sourceIds[0]);
  const documents =
    sourceIds.length === 1
      ? `the acknowledged document ${example} doesn't show under the sourceId that was sent`
      : `${sourceIds.length} acknowledged documents don't show under the sourceIds that were sent (for example ${example})`;
  return `${documents}, although others that were acknowledged then or later do; the service may change sourceIds (case, Unicode form, length), so documents that don't show may be there after all`;
}
