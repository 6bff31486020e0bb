import { type Batch, publishedWindow, sourceIdOf } from '../../model/documents.js';
import type { Acknowledged, WindowsReading } from './sightings.js';
import { covered } from './window.js';

/** So many of the first ones, which have had the most time to show, and of the last ones. */
const FIRST = 20;
const LAST = 300;

/** Documents that the service took: what it takes to see whether readings show anything. */
export class Acknowledgements {
  readonly #first: Acknowledged[] = [];
  readonly #last: Acknowledged[] = [];

  /** A batch was accepted. A document of each will do: all of them are taken at once. */
  note({ ranges }: Batch, acknowledgedMs: number): void {
    const range = ranges.at(-1);
    if (range === undefined) return;
    const sourceId = sourceIdOf(range.documents, range.to - 1);
    if (sourceId === null) return;
    const published = publishedWindow({ ranges: [{ ...range, from: range.to - 1 }] });
    this.#add({ sourceId, published, acknowledgedMs });
  }

  #add(document: Acknowledged): void {
    if (this.#first.length < FIRST) {
      this.#first.push(document);
      return;
    }
    this.#last.push(document);
    if (this.#last.length > LAST) this.#last.shift();
  }

  list(): readonly Acknowledged[] {
    return [...this.#first, ...this.#last];
  }
}

/** An index that is this much slower than it was seen to be must still not mislead. */
const LAGS_PER_SETTLE_TIME = 5;

/**
 * How long the service takes to show what it took, learnt from acknowledged documents: one that
 * was missing from a reading and shows in a later one took at least as long as it was old in the
 * first.
 */
export class VisibilityLag {
  readonly #minMs: number;
  #lagMs = 0;
  /** When a document that never showed was last missing. */
  #missedMs = new Map<string, number>();
  #shown = new Set<string>();

  /** @param minMs the least settle time */
  constructor(minMs: number) {
    this.#minMs = minMs;
  }

  /** The settle time, in milliseconds; grows with the lag that was seen. */
  get settleMs(): number {
    return Math.max(this.#minMs, LAGS_PER_SETTLE_TIME * this.#lagMs);
  }

  /**
   * Learns from a reading, and says why it is stale, as half a sentence: a document is missing that
   * showed before, or that was acknowledged longer ago than the settle time. `null`: it isn't.
   */
  note(reading: WindowsReading): string | null {
    const { acknowledged, sightings, complete, windowOf, startedMs } = reading;
    const missing = acknowledged.filter(
      ({ sourceId, published }) =>
        !sightings.shows(sourceId) && covered(windowOf(published), complete),
    );
    const stale = missing.filter((document) => this.#shouldShow(document, startedMs));
    this.#learn(reading, missing);
    const [first] = stale;
    if (first === undefined) return null;
    const seconds = Math.round((startedMs - first.acknowledgedMs) / 1_000);
    return `the reading is out of date: it lacks ${stale.length} acknowledged documents, such as ${JSON.stringify(first.sourceId)}, which was acknowledged ${seconds} s before`;
  }

  #shouldShow({ sourceId, acknowledgedMs }: Acknowledged, nowMs: number): boolean {
    return this.#shown.has(sourceId) || nowMs - acknowledgedMs > this.settleMs;
  }

  /** Only what is still among the acknowledged is remembered, so memory is bounded as theirs. */
  #learn(
    { acknowledged, sightings, startedMs }: WindowsReading,
    missing: readonly Acknowledged[],
  ): void {
    const missed = new Map<string, number>();
    const shown = new Set<string>();
    const lacking = new Set(missing);
    for (const document of acknowledged) {
      const { sourceId, acknowledgedMs } = document;
      const missedMs = this.#missedMs.get(sourceId);
      if (sightings.shows(sourceId) || this.#shown.has(sourceId)) {
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
