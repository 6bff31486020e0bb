import {
  type Acknowledged,
  type Batch,
  type DocumentRange,
  idsJson,
  type PublishedWindow,
  parseIds,
  publishedWindow,
  sourceIdOf,
  windowOf,
} from '../../model/documents.js';
import {
  type BrokenReading,
  IMPORTED_SOURCE,
  type PagePort,
  readWindow,
  type ShownDocument,
} from './read-window.js';
import { covered, mergeWindows, touches, type Width, type Window, windowAround } from './window.js';

/** Number of remembered requests: the first ones have had the most time to show. */
const MAX_FIRST = 20;
const MAX_LAST = 300;
/** Most memory for documents of the last requests: some 300,000. Older requests are forgotten. */
const MAX_BYTES = 8 * 2 ** 20;

/** Remembers acknowledged documents, to check that readings show them. */
export class Acknowledgements {
  readonly #recalled: readonly Acknowledged[];
  readonly #noted: { readonly document: Acknowledged; readonly bytes: number }[] = [];
  /** Bytes of the last requests. */
  #bytes = 0;

  /**
   * @param recalled documents acknowledged to an earlier process. Its clock may have been ahead, so
   *   none counts as acknowledged after now.
   */
  constructor(recalled: readonly Acknowledged[] = [], nowMs = 0) {
    this.#recalled = recalled.map((document) => ({
      ...document,
      acknowledgedMs: Math.min(document.acknowledgedMs, nowMs),
    }));
  }

  note({ ranges }: Pick<Batch, 'ranges'>, acknowledgedMs: number): void {
    const range = ranges.at(-1);
    const sourceId = range === undefined ? null : sourceIdOf(range.documents, range.to - 1);
    if (range === undefined || sourceId === null) return;
    const published = publishedWindow({ ranges: [{ ...range, from: range.to - 1 }] });
    const copies = ranges.map(copyOf);
    const request = {
      // Computed on demand: only a reconciliation reads it.
      get published() {
        return windowOf(copies.map(({ times }) => times));
      },
      documents: () => copies.flatMap(documentsOf),
    };
    const document = { sourceId, published, acknowledgedMs, request };
    const bytes = copies.reduce(
      (sum, { ids, times }) => sum + ids.byteLength + times.byteLength,
      0,
    );
    this.#noted.push({ document, bytes });
    if (this.#noted.length > MAX_FIRST) this.#bytes += bytes;
    const isFull = (last: number): boolean =>
      last > MAX_LAST || (this.#bytes > MAX_BYTES && last > 1);
    while (isFull(this.#noted.length - MAX_FIRST)) {
      this.#bytes -= this.#noted.splice(MAX_FIRST, 1)[0]?.bytes ?? 0;
    }
  }

  list(): readonly Acknowledged[] {
    return [...this.#recalled, ...this.#noted.map(({ document }) => document)];
  }
}

/** Copy of a range's ids and times that doesn't hold its chunk in memory. */
interface RangeCopy {
  /** From {@link idsJson}. */
  readonly ids: Uint8Array;
  /** Times of publication, in milliseconds since 1970; NaN if unknown. */
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
 * Records which of the wanted documents were shown. sourceIds must match exactly, including case
 * and Unicode form. Holds the sourceIds, and for each the platform's id of the first document
 * shown.
 */
export class Sightings {
  readonly #shown = new Map<string, number>();
  readonly #twice = new Set<string>();

  want(sourceId: string): void {
    if (!this.#shown.has(sourceId)) this.#shown.set(sourceId, NOT_SHOWN);
  }

  /** Wanted sourceIds, in the order in which they were added. */
  get wanted(): readonly string[] {
    return [...this.#shown.keys()];
  }

  /** Records a shown document; the same one may come several times. */
  add({ id, source, sourceId }: ShownDocument): void {
    const shown = this.#shown.get(sourceId);
    if (source !== IMPORTED_SOURCE || shown === undefined) return;
    if (shown === NOT_SHOWN) this.#shown.set(sourceId, id);
    else if (shown !== id) this.#twice.add(sourceId);
  }

  /**
   * Forgets what was shown: a document that was replaced between two readings isn't there twice.
   */
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

export class WindowsReading {
  /** Milliseconds since 1970. */
  readonly startedMs: number;
  /** Documents that should show in the windows if they were acknowledged long enough ago. */
  readonly acknowledged: Acknowledged[] = [];
  readonly sightings = new Sightings();
  /** Windows read completely. */
  readonly complete: Window[] = [];
  /** Why a window couldn't be read; `undefined` if all were. */
  broken: BrokenReading | undefined;

  /** @param acknowledged one document of each request that was acknowledged before `startedMs` */
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

  /** Reads windows one after the other, until one shows that reading can't succeed. */
  async read(windows: readonly Window[], port: PagePort): Promise<void> {
    for (const window of windows) {
      if (this.broken?.ended) return;
      if (covered(window, this.complete)) continue;
      const reading = await readWindow(window, port, (document) => this.sightings.add(document));
      if (reading.complete) this.complete.push(window);
      else this.broken = { ...reading, isDown: reading.isDown || this.broken?.isDown === true };
    }
  }

  covers(published: PublishedWindow | null, width: Width): boolean {
    return covered(windowAround(published, width), this.complete);
  }
}

/** Enough acknowledged documents to show whether the service changes sourceIds. */
const MIN_CONTROLS = 100;

/**
 * Expects a reading to show all acknowledged documents of its windows: if it lacks some, absence proves
 * nothing. If these are few, adds the windows of further requests, the shortest first.
 * @param due one document of each request that was acknowledged longer ago than the settle time
 * @returns the windows to read
 */
export function withControls(
  windows: readonly Window[],
  due: readonly Acknowledged[],
  reading: WindowsReading,
): readonly Window[] {
  const further = due
    .filter(({ request }) => request.published !== null)
    .map(({ request }) => windowAround(request.published, 'wide'))
    .toSorted((a, b) => a.to - a.from - (b.to - b.from));
  let wider = windows;
  let controls = documentsWithin(wider, due);
  for (const window of further) {
    if (controls.length >= MIN_CONTROLS) break;
    if (covered(window, wider)) continue;
    wider = mergeWindows([...wider, window]);
    controls = documentsWithin(wider, due);
  }
  reading.expect(controls);
  return wider;
}

/** Returns all documents of acknowledged requests that should show in the windows. */
export function documentsWithin(
  windows: readonly Window[],
  due: readonly Acknowledged[],
): readonly Acknowledged[] {
  return due
    .filter(({ request }) => touches(request.published, windows))
    .flatMap((one) => one.request.documents().map((document) => ({ ...one, ...document })))
    .filter(({ published }) => covered(windowAround(published, 'wide'), windows));
}

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
