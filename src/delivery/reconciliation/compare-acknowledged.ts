import type { PublishedWindow } from '../../model/documents.js';
import type { PagePort, ShownDocument } from './pages.js';
import { readWindow } from './read-window.js';
import { Sightings } from './sightings.js';
import { EVERYTHING, type Window, windowAround } from './window.js';

/** A document that was acknowledged. */
export interface AcknowledgedDocument {
  /** `null`: it can't be compared. */
  readonly sourceId: string | null;
  /** The span in which it was published, ISO 8601 in UTC; `null`: not known, so that everything has to be read. */
  readonly published: PublishedWindow | null;
}

/** What a comparison needs to know beside its port. */
export interface ComparisonSettings {
  /** How long to read again while something is missing or unread, in milliseconds; 0: read once. */
  readonly giveUpMs: number;
  /** Most examples of extra documents. */
  readonly examples: number;
  /** Told once why it takes a while. */
  readonly onWait?: (message: string) => void;
}

/** What the service shows of what it acknowledged, and whether all of that could be read. */
export interface Comparison {
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
  /**
   * Why not all was read, as half a sentence: then what is missing may be there all the same.
   * `null`: all was read.
   */
  readonly incomplete: string | null;
}

const PAUSE_MS = 5_000;

/**
 * Compares what was acknowledged with what the service shows between the first and the last
 * `published` of it. Holds every sourceId, and a number for every document that shows: some 100 MB
 * for a million.
 */
export async function compareAcknowledged(
  acknowledged: AsyncIterable<AcknowledgedDocument>,
  { giveUpMs, examples, onWait: tell = () => {} }: ComparisonSettings,
  port: PagePort,
): Promise<Comparison> {
  const { clock, signal } = port;
  const sightings = new Sightings();
  const span = new Span();
  let withoutId = 0;
  for await (const { sourceId, published } of acknowledged) {
    if (sourceId === null) {
      withoutId += 1;
      continue;
    }
    sightings.want(sourceId);
    span.add(published);
  }
  const untilMs = clock.now() + giveUpMs;
  let extra = new Extras(span, examples);
  let incomplete: string | null = null;
  while (sightings.size > 0) {
    sightings.forget();
    const others = new Extras(span, examples);
    extra = others;
    const reading = await readWindow(span.window, port, (document) => {
      if (sightings.see(document)) others.add(document);
    });
    incomplete = reading.complete ? null : reading.message;
    const missing = sightings.list('missing').length;
    const done = reading.complete ? missing === 0 : reading.ended;
    if (done || clock.now() + PAUSE_MS > untilMs) break;
    tell(waitMessage(reading.complete, missing, giveUpMs));
    tell = () => {};
    await clock.sleep(PAUSE_MS, signal);
  }
  return {
    compared: sightings.size,
    withoutId,
    missing: sightings.list('missing'),
    duplicate: sightings.list('twice'),
    extra: extra.found,
    incomplete,
  };
}

function waitMessage(complete: boolean, missing: number, giveUpMs: number): string {
  const what = complete
    ? `${missing} of the acknowledged documents ${missing === 1 ? "doesn't" : "don't"} show yet`
    : 'Not everything could be read';
  return `${what}. Reading again every ${PAUSE_MS / 1_000} s, for up to ${giveUpMs / 1_000} s.`;
}

/** From the first to the last moment at which documents were published, as far as that is known. */
class Span {
  #firstMs = Number.POSITIVE_INFINITY;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** Where one is not known, the span has no ends. */
  add(published: PublishedWindow | null): void {
    const from = published === null ? Number.NaN : Date.parse(published.from);
    const to = published === null ? Number.NaN : Date.parse(published.to);
    this.#firstMs = Math.min(this.#firstMs, Number.isNaN(from) ? Number.NEGATIVE_INFINITY : from);
    this.#lastMs = Math.max(this.#lastMs, Number.isNaN(to) ? Number.POSITIVE_INFINITY : to);
  }

  /** The window in which all of them must show. */
  get window(): Window {
    if (!Number.isFinite(this.#firstMs) || !Number.isFinite(this.#lastMs)) return EVERYTHING;
    const from = new Date(this.#firstMs).toISOString();
    return windowAround({ from, to: new Date(this.#lastMs).toISOString() });
  }

  /** The window is wider than the span, and what lies outside the span is of no interest. */
  holds(published: string | null): boolean {
    const ms = published === null ? Number.NaN : Date.parse(published);
    return !(ms < this.#firstMs || ms > this.#lastMs);
  }
}

/** Documents that nobody asked about; each may come several times. */
class Extras {
  readonly #span: Span;
  readonly #max: number;
  readonly #ids = new Set<number>();
  readonly #examples: string[] = [];

  constructor(span: Span, max: number) {
    this.#span = span;
    this.#max = max;
  }

  add({ id, sourceId, published }: ShownDocument): void {
    if (!this.#span.holds(published) || this.#ids.has(id)) return;
    this.#ids.add(id);
    if (this.#examples.length < this.#max) this.#examples.push(sourceId);
  }

  get found(): Comparison['extra'] {
    return { count: this.#ids.size, examples: this.#examples };
  }
}
