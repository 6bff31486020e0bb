import {
  type Acknowledged,
  type Batch,
  type DocumentRange,
  idsJson,
  parseIds,
  publishedWindow,
  sourceIdOf,
  windowOf,
} from '../../model/documents.js';

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

  /** Remembers a request, if its last document has a sourceId. */
  note({ ranges }: Pick<Batch, 'ranges'>, acknowledgedMs: number): void {
    const last = lastDocument(ranges);
    if (last === undefined) return;
    const copies = ranges.map(copyOf);
    const request = {
      // Computed on demand: only a reconciliation reads it.
      get published() {
        return windowOf(copies.map(({ times }) => times));
      },
      documents: () => copies.flatMap(documentsOf),
    };
    this.#add({ ...last, acknowledgedMs, request }, bytesOf(copies));
  }

  #add(document: Acknowledged, bytes: number): void {
    this.#noted.push({ document, bytes });
    if (this.#noted.length > MAX_FIRST) this.#bytes += bytes;
    while (this.#isFull) this.#bytes -= this.#noted.splice(MAX_FIRST, 1)[0]?.bytes ?? 0;
  }

  /** Whether the oldest of the last requests has to be forgotten; the latest never is. */
  get #isFull(): boolean {
    const last = this.#noted.length - MAX_FIRST;
    return last > MAX_LAST || (this.#bytes > MAX_BYTES && last > 1);
  }

  list(): readonly Acknowledged[] {
    return [...this.#recalled, ...this.#noted.map(({ document }) => document)];
  }
}

/** Last document of a request; `undefined` if it has no sourceId. */
function lastDocument(
  ranges: readonly DocumentRange[],
): Pick<Acknowledged, 'sourceId' | 'published'> | undefined {
  const range = ranges.at(-1);
  const sourceId = range === undefined ? null : sourceIdOf(range.documents, range.to - 1);
  if (range === undefined || sourceId === null) return undefined;
  return { sourceId, published: publishedWindow({ ranges: [{ ...range, from: range.to - 1 }] }) };
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

function bytesOf(copies: readonly RangeCopy[]): number {
  return copies.reduce((sum, { ids, times }) => sum + ids.byteLength + times.byteLength, 0);
}

function documentsOf({ ids, times }: RangeCopy): Pick<Acknowledged, 'sourceId' | 'published'>[] {
  return parseIds(ids).flatMap((sourceId, at) => {
    if (sourceId === null) return [];
    const ms = times[at] as number;
    const moment = Number.isNaN(ms) ? null : new Date(ms).toISOString();
    return [{ sourceId, published: moment === null ? null : { from: moment, to: moment } }];
  });
}
