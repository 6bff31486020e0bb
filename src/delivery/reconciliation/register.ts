import type { PublishedWindow } from '../../model/published-window.js';
import type { ShownDocument } from './port.js';
import { EVERYTHING, type Window, windowAround } from './window.js';

/** A document that was acknowledged. */
export interface Sent {
  /** `null`: it can't be compared. */
  readonly sourceId: string | null;
  /** The span in which it was published, ISO 8601 in UTC; `null`: not known, so that everything has to be read. */
  readonly published: PublishedWindow | null;
}

/** What the service shows of what it acknowledged. */
export interface Findings {
  /** How many sourceIds were compared. */
  readonly compared: number;
  /** How many acknowledged documents have no sourceId to compare them by. */
  readonly withoutId: number;
  /** sourceIds that did not show, in the order in which they were acknowledged. */
  readonly missing: readonly string[];
  /** sourceIds that showed as more than one document, in that order, too. */
  readonly duplicate: readonly string[];
  /**
   * Documents published within the same span, and not among the acknowledged. That is no mistake
   * in itself: other runs import, too.
   */
  readonly extra: { readonly count: number; readonly examples: readonly string[] };
}

/** Of a sourceId that did not show. */
const NOT_SHOWN = -1;

/** Every sourceId that should be there, and what showed of it. */
export class Register {
  readonly #source: string;
  readonly #mostExamples: number;
  /** The platform's id of the first document that showed, for each sourceId. */
  readonly #shown = new Map<string, number>();
  readonly #duplicate = new Set<string>();
  /** The platform's ids of the others, since a document may be read more than once. */
  readonly #extra = new Set<number>();
  #examples: string[] = [];
  #withoutId = 0;
  #notShown = 0;
  #firstMs = Number.POSITIVE_INFINITY;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(source: string, mostExamples: number) {
    this.#source = source;
    this.#mostExamples = mostExamples;
  }

  get size(): number {
    return this.#shown.size;
  }

  get allShown(): boolean {
    return this.#notShown === 0;
  }

  /** The window in which all of them must show. */
  get window(): Window {
    if (!Number.isFinite(this.#firstMs) || !Number.isFinite(this.#lastMs)) return EVERYTHING;
    const from = new Date(this.#firstMs).toISOString();
    return windowAround({ from, to: new Date(this.#lastMs).toISOString() });
  }

  /** Takes in what should be there. */
  expect({ sourceId, published }: Sent): void {
    if (sourceId === null) {
      this.#withoutId += 1;
      return;
    }
    this.#shown.set(sourceId, NOT_SHOWN);
    const from = published === null ? Number.NaN : Date.parse(published.from);
    const to = published === null ? Number.NaN : Date.parse(published.to);
    // Where one is not known, the span has no ends.
    this.#firstMs = Math.min(this.#firstMs, Number.isNaN(from) ? Number.NEGATIVE_INFINITY : from);
    this.#lastMs = Math.max(this.#lastMs, Number.isNaN(to) ? Number.POSITIVE_INFINITY : to);
  }

  /** Begins anew: a document that was replaced between two readings is none that is there twice. */
  forgetShown(): void {
    for (const sourceId of this.#shown.keys()) this.#shown.set(sourceId, NOT_SHOWN);
    this.#notShown = this.#shown.size;
    this.#duplicate.clear();
    this.#extra.clear();
    this.#examples = [];
  }

  /** Takes in what is there; the same document may come several times. */
  see = ({ id, source, sourceId, published }: ShownDocument): void => {
    if (source !== this.#source) return;
    const shown = this.#shown.get(sourceId);
    if (shown === undefined) this.#seeExtra(id, sourceId, published);
    else if (shown === NOT_SHOWN) {
      this.#shown.set(sourceId, id);
      this.#notShown -= 1;
    } else if (shown !== id) this.#duplicate.add(sourceId);
  };

  findings(): Findings {
    const missing: string[] = [];
    for (const [sourceId, shown] of this.#shown) if (shown === NOT_SHOWN) missing.push(sourceId);
    return {
      compared: this.#shown.size,
      withoutId: this.#withoutId,
      missing,
      duplicate: [...this.#shown.keys()].filter((sourceId) => this.#duplicate.has(sourceId)),
      extra: { count: this.#extra.size, examples: this.#examples },
    };
  }

  /** The window is wider than the span, and what lies outside the span is of no interest. */
  #seeExtra(id: number, sourceId: string, published: string | null): void {
    const ms = published === null ? Number.NaN : Date.parse(published);
    if (ms < this.#firstMs || ms > this.#lastMs || this.#extra.has(id)) return;
    this.#extra.add(id);
    if (this.#examples.length < this.#mostExamples) this.#examples.push(sourceId);
  }
}
