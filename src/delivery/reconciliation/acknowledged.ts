import {
  type Batch,
  type DocumentRange,
  idsJson,
  parseIds,
  publishedWindow,
  sourceIdOf,
} from '../../model/documents.js';
import type { Acknowledged, AcknowledgedRequest, WindowsReading } from './sightings.js';
import { covered } from './window.js';

/** So many requests of the first ones, which have had the most time to show, and of the last ones. */
const FIRST = 20;
const LAST = 300;
/** Most memory for the last ones' documents: some 300,000 of them. Earlier ones are forgotten. */
const MAX_BYTES = 8 * 2 ** 20;

/** Documents that the service took: what it takes to see whether readings show anything. */
export class Acknowledgements {
  #recalled: readonly Acknowledged[] = [];
  readonly #first: Acknowledged[] = [];
  readonly #last: { readonly document: Acknowledged; readonly bytes: number }[] = [];
  #bytes = 0;

  /** A batch was accepted. */
  note({ ranges }: Batch, acknowledgedMs: number): void {
    const range = ranges.at(-1);
    if (range === undefined) return;
    const sourceId = sourceIdOf(range.documents, range.to - 1);
    if (sourceId === null) return;
    const published = publishedWindow({ ranges: [{ ...range, from: range.to - 1 }] });
    const copies = ranges.map(copyOf);
    const request = {
      published: publishedWindow({ ranges }),
      documents: () => documentsOf(copies),
    };
    const bytes = copies.reduce((sum, { ids, published: ms }) => {
      return sum + ids.byteLength + ms.byteLength;
    }, 0);
    this.#add({ sourceId, published, acknowledgedMs, request }, bytes);
  }

  /**
   * Takes in what an earlier process saw accepted. Its clock may have been ahead: nothing of it
   * counts as acknowledged after now.
   */
  recall(documents: readonly Acknowledged[], nowMs: number): void {
    this.#recalled = documents.map((document) => ({
      ...document,
      acknowledgedMs: Math.min(document.acknowledgedMs, nowMs),
    }));
  }

  #add(document: Acknowledged, bytes: number): void {
    if (this.#first.length < FIRST) {
      this.#first.push(document);
      return;
    }
    this.#last.push({ document, bytes });
    this.#bytes += bytes;
    while (this.#last.length > LAST || (this.#bytes > MAX_BYTES && this.#last.length > 1)) {
      this.#bytes -= this.#last.shift()?.bytes ?? 0;
    }
  }

  list(): readonly Acknowledged[] {
    return [...this.#recalled, ...this.#first, ...this.#last.map(({ document }) => document)];
  }
}

/** What is known of a range's documents, without the memory of the chunk that they came from. */
interface RangeCopy {
  /** As {@link idsJson} gives them. */
  readonly ids: Uint8Array;
  /** Milliseconds since 1970; NaN if not known. */
  readonly published: Float64Array;
}

function copyOf(range: DocumentRange): RangeCopy {
  const { documents, from, to } = range;
  return {
    ids: new Uint8Array(idsJson(range)),
    published: documents.published.slice(from, to),
  };
}

function documentsOf(copies: readonly RangeCopy[]): ReturnType<AcknowledgedRequest['documents']> {
  return copies.flatMap(({ ids, published }) =>
    parseIds(ids).flatMap((sourceId, at) =>
      sourceId === null ? [] : [{ sourceId, published: momentOf(published[at] as number) }],
    ),
  );
}

function momentOf(ms: number): Acknowledged['published'] {
  if (Number.isNaN(ms)) return null;
  const moment = new Date(ms).toISOString();
  return { from: moment, to: moment };
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
   * Learns from a reading, and says why absence from it proves nothing, as half a sentence: a
   * document is missing that showed before, or that was acknowledged longer ago than the settle
   * time. `null`: nothing is missing that should show.
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
    const hidden = this.#hidden(stale, reading);
    if (hidden.length > 0) return hiddenText([...new Set(hidden.map(({ sourceId }) => sourceId))]);
    const seconds = Math.round((startedMs - first.acknowledgedMs) / 1_000);
    return `the reading is out of date: it lacks ${stale.length} acknowledged documents, such as ${JSON.stringify(first.sourceId)}, which was acknowledged ${seconds} s before`;
  }

  /** Those that never showed, though something does that was acknowledged with them or later. */
  #hidden(
    stale: readonly Acknowledged[],
    { acknowledged, sightings }: WindowsReading,
  ): readonly Acknowledged[] {
    let latestMs = Number.NEGATIVE_INFINITY;
    for (const { sourceId, acknowledgedMs } of acknowledged) {
      if (sightings.shows(sourceId)) latestMs = Math.max(latestMs, acknowledgedMs);
    }
    return stale.filter(
      ({ sourceId, acknowledgedMs }) => acknowledgedMs <= latestMs && !this.#shown.has(sourceId),
    );
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

function hiddenText(sourceIds: readonly string[]): string {
  const example = JSON.stringify(sourceIds[0]);
  const documents =
    sourceIds.length === 1
      ? `the acknowledged document ${example} doesn't show under the sourceId that was sent`
      : `${sourceIds.length} acknowledged documents don't show under the sourceIds that were sent (for example ${example})`;
  return `${documents}, while others that were acknowledged then or later do: the service may change sourceIds (case, Unicode form, length), so what doesn't show may be there all the same`;
}
