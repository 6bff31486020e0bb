import {
  type Batch,
  type DocumentRange,
  idsJson,
  type PublishedWindow,
  parseIds,
  publishedWindow,
  sourceIdOf,
} from '../../model/documents.js';
import {
  type BrokenReading,
  IMPORTED_SOURCE,
  type PagePort,
  readWindow,
  type ShownDocument,
} from './read-window.js';
import { covered, mergeWindows, touches, type Width, type Window, windowAround } from './window.js';

/** A document that the service said it took. */
export interface Acknowledged {
  readonly sourceId: string;
  /** Between which moments it was published; `null`: not known. */
  readonly published: PublishedWindow | null;
  /** When the answer came, in milliseconds since 1970. */
  readonly acknowledgedMs: number;
  /** The request that it was acknowledged with. */
  readonly request: {
    /** Between which moments its documents were published; `null`: not known. */
    readonly published: PublishedWindow | null;
    /** Those of its documents that have a sourceId. */
    readonly documents: () => readonly Pick<Acknowledged, 'sourceId' | 'published'>[];
  };
}

/** So many requests of the first ones, which have had the most time to show, and of the last ones. */
const FIRST = 20;
const LAST = 300;
/** Most memory for the last ones' documents: some 300,000 of them. Earlier ones are forgotten. */
const MAX_BYTES = 8 * 2 ** 20;

/** Remembers documents that the service took, to see whether readings show them. */
export class Acknowledgements {
  readonly #recalled: readonly Acknowledged[];
  readonly #first: Acknowledged[] = [];
  readonly #last: { readonly document: Acknowledged; readonly bytes: number }[] = [];
  #bytes = 0;

  /**
   * @param recalled what an earlier process saw accepted. Its clock may have been ahead: nothing of
   *   it counts as acknowledged after now.
   */
  constructor(recalled: readonly Acknowledged[] = [], nowMs = 0) {
    this.#recalled = recalled.map((document) => ({
      ...document,
      acknowledgedMs: Math.min(document.acknowledgedMs, nowMs),
    }));
  }

  /** A batch was accepted. */
  note({ ranges }: Pick<Batch, 'ranges'>, acknowledgedMs: number): void {
    const range = ranges.at(-1);
    const sourceId = range === undefined ? null : sourceIdOf(range.documents, range.to - 1);
    if (range === undefined || sourceId === null) return;
    const published = publishedWindow({ ranges: [{ ...range, from: range.to - 1 }] });
    const copies = ranges.map(copyOf);
    const request = {
      published: publishedWindow({ ranges }),
      documents: () => copies.flatMap(documentsOf),
    };
    const document = { sourceId, published, acknowledgedMs, request };
    if (this.#first.length < FIRST) {
      this.#first.push(document);
      return;
    }
    const bytes = copies.reduce(
      (sum, { ids, times }) => sum + ids.byteLength + times.byteLength,
      0,
    );
    this.#last.push({ document, bytes });
    this.#bytes += bytes;
    while (this.#last.length > LAST || (this.#bytes > MAX_BYTES && this.#last.length > 1)) {
      this.#bytes -= this.#last.shift()?.bytes ?? 0;
    }
  }

  /** One document of each request. */
  list(): readonly Acknowledged[] {
    return [...this.#recalled, ...this.#first, ...this.#last.map(({ document }) => document)];
  }
}

/** What is known of a range's documents, without the memory of the chunk that they came from. */
interface RangeCopy {
  /** As {@link idsJson} gives them. */
  readonly ids: Uint8Array;
  /** When they were published, in milliseconds since 1970; NaN if not known. */
  readonly times: Float64Array;
}

function copyOf(range: DocumentRange): RangeCopy {
  const { documents, from, to } = range;
  return { ids: new Uint8Array(idsJson(range)), times: documents.published.slice(from, to) };
}

function documentsOf({ ids, times }: RangeCopy): Pick<Acknowledged, 'sourceId' | 'published'>[] {
  return parseIds(ids).flatMap((sourceId, at) => {
    if (sourceId === null) return [];
    const ms = times[at] as number;
    const moment = Number.isNaN(ms) ? null : new Date(ms).toISOString();
    return [{ sourceId, published: moment === null ? null : { from: moment, to: moment } }];
  });
}

const NOT_SHOWN = -1;

/**
 * Which of the documents that are sought showed, by sourceId: in its case and Unicode form.
 * Holds the sourceIds, and the platform's id of the first document that showed for each.
 */
export class Sightings {
  readonly #shown = new Map<string, number>();
  readonly #twice = new Set<string>();

  want(sourceId: string): void {
    if (!this.#shown.has(sourceId)) this.#shown.set(sourceId, NOT_SHOWN);
  }

  /** The sourceIds that are sought, in the order in which they were wanted. */
  get wanted(): readonly string[] {
    return [...this.#shown.keys()];
  }

  /** Takes in what shows; the same document may come several times. */
  see({ id, source, sourceId }: ShownDocument): void {
    const shown = this.#shown.get(sourceId);
    if (source !== IMPORTED_SOURCE || shown === undefined) return;
    if (shown === NOT_SHOWN) this.#shown.set(sourceId, id);
    else if (shown !== id) this.#twice.add(sourceId);
  }

  /** Begins anew: a document that was replaced between two readings is none that is there twice. */
  forget(): void {
    for (const sourceId of this.#shown.keys()) this.#shown.set(sourceId, NOT_SHOWN);
    this.#twice.clear();
  }

  shows(sourceId: string): boolean {
    return (this.#shown.get(sourceId) ?? NOT_SHOWN) !== NOT_SHOWN;
  }

  showsTwice(sourceId: string): boolean {
    return this.#twice.has(sourceId);
  }
}

/** What reading some windows shows. */
export class WindowsReading {
  /** Milliseconds since 1970. */
  readonly startedMs: number;
  /** What should show in the windows, if it was acknowledged long enough before. */
  readonly acknowledged: Acknowledged[] = [];
  readonly sightings = new Sightings();
  /** The windows of which all documents were seen. */
  readonly complete: Window[] = [];
  /** Why another one was not; `undefined`: all were. */
  broken: BrokenReading | undefined;

  /** @param acknowledged before it started: one document of each request */
  constructor(startedMs: number, acknowledged: readonly Acknowledged[]) {
    this.startedMs = startedMs;
    this.expect(acknowledged);
  }

  expect(acknowledged: readonly Acknowledged[]): void {
    for (const document of acknowledged) {
      this.sightings.want(document.sourceId);
      this.acknowledged.push(document);
    }
  }

  /** Reads windows one after the other, as long as there is use in it. */
  async read(windows: readonly Window[], port: PagePort): Promise<void> {
    for (const window of windows) {
      if (this.broken?.ended) return;
      if (covered(window, this.complete)) continue;
      const reading = await readWindow(window, port, (document) => this.sightings.see(document));
      if (reading.complete) this.complete.push(window);
      else this.broken = { ...reading, isDown: reading.isDown || this.broken?.isDown === true };
    }
  }

  /** Whether all documents that were published then were seen. */
  covers(published: PublishedWindow | null, width: Width): boolean {
    return covered(windowAround(published, width), this.complete);
  }
}

/** So many acknowledged documents tell whether documents show under the sourceIds that were sent. */
const MIN_CONTROLS = 100;

/**
 * Expects all documents of these requests that should show in the windows: if some of them don't,
 * absence proves nothing. Where they are few, there are more windows for further requests, those of
 * the shortest spans.
 * @param settled one document of each request, acknowledged longer ago than the settle time
 */
export function withControls(
  windows: readonly Window[],
  settled: readonly Acknowledged[],
  reading: WindowsReading,
): readonly Window[] {
  const further = settled
    .filter(({ request }) => request.published !== null)
    .map(({ request }) => windowAround(request.published, 'wide'))
    .toSorted((a, b) => a.to - a.from - (b.to - b.from));
  let wider = windows;
  let controls = documentsWithin(wider, settled);
  for (const window of further) {
    if (controls.length >= MIN_CONTROLS) break;
    if (covered(window, wider)) continue;
    wider = mergeWindows([...wider, window]);
    controls = documentsWithin(wider, settled);
  }
  reading.expect(controls);
  return wider;
}

function documentsWithin(
  windows: readonly Window[],
  settled: readonly Acknowledged[],
): readonly Acknowledged[] {
  return settled
    .filter(({ request }) => touches(request.published, windows))
    .flatMap((one) => one.request.documents().map((document) => ({ ...one, ...document })))
    .filter(({ published }) => covered(windowAround(published, 'wide'), windows));
}

/** An index that is this much slower than it was seen to be must still not mislead. */
const LAGS_PER_SETTLE_TIME = 5;

/**
 * How long the service takes to show what it took, learnt from acknowledged documents: one that
 * was missing from a window and shows in it later took at least as long as it was old in the first
 * reading. In the near windows, which are read early, that is learnt early.
 */
export class VisibilityLag {
  readonly #minMs: number;
  #lagMs = 0;
  /** When a document that never showed was last missing from a window. */
  readonly #missedMs: Readonly<Record<Width, Map<string, number>>> = {
    near: new Map(),
    wide: new Map(),
  };
  readonly #shown = new Set<string>();

  /** @param minMs the least settle time */
  constructor(minMs: number) {
    this.#minMs = minMs;
  }

  /** The settle time, in milliseconds; grows with the lag that was seen. */
  get settleMs(): number {
    return Math.max(this.#minMs, LAGS_PER_SETTLE_TIME * this.#lagMs);
  }

  /** Learns from a reading once the windows of this width are read, and none that is wider. */
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
   * Why absence from a reading proves nothing, as half a sentence: a document is missing that showed
   * before, or that was acknowledged longer ago than the settle time. `null`: nothing is missing that
   * should show.
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
    return `the reading is out of date: it lacks ${missing.length} acknowledged documents, such as ${JSON.stringify(first.sourceId)}, which was acknowledged ${seconds} s before`;
  }

  #shouldShow({ sourceId, acknowledgedMs }: Acknowledged, nowMs: number): boolean {
    return this.#shown.has(sourceId) || nowMs - acknowledgedMs > this.settleMs;
  }
}

/** Why these don't show, though something does that was acknowledged with them or later. */
function hiddenText(sourceIds: readonly string[]): string {
  const example = JSON.stringify(sourceIds[0]);
  const documents =
    sourceIds.length === 1
      ? `the acknowledged document ${example} doesn't show under the sourceId that was sent`
      : `${sourceIds.length} acknowledged documents don't show under the sourceIds that were sent (for example ${example})`;
  return `${documents}, while others that were acknowledged then or later do: the service may change sourceIds (case, Unicode form, length), so what doesn't show may be there all the same`;
}
