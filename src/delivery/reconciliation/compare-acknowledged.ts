import type { PublishedWindow } from '../../model/documents.js';
import { readWindow } from './read-window.js';
import { boundedPages, type PagePort } from './service-pages.js';
import { Sightings } from './sightings.js';
import { windowAround } from './window.js';

export interface AcknowledgedDocument {
  /** `null` if it can't be compared. */
  readonly sourceId: string | null;
  /**
   * Time of publication, ISO 8601 in UTC; `null` if unknown: then all documents have to be read.
   */
  readonly published: PublishedWindow | null;
}

export interface ComparisonSettings {
  /**
   * Time to keep reading while documents are missing or unread, in milliseconds; 0: read once.
   */
  readonly giveUpMs: number;
  /** Called at most once, with the reason for the wait. */
  readonly onWait?: (message: string) => void;
}

/** Result of comparing acknowledged documents with those that the service shows. */
export interface Comparison {
  readonly compared: number;
  /** Acknowledged documents without a sourceId to compare. */
  readonly withoutId: number;
  /** sourceIds that the service doesn't show, in the order in which they were acknowledged. */
  readonly missing: readonly string[];
  /** sourceIds that the service shows more than once, in the same order. */
  readonly duplicate: readonly string[];
  /**
   * Reason why not everything could be read, without a full stop: missing documents may be there after
   * all. `null` if everything was read.
   */
  readonly incomplete: string | null;
}

const PAUSE_MS = 5_000;

/**
 * Compares acknowledged documents with those that the service shows between the first and the last
 * time of publication. Holds every sourceId: some 100 MB for a million.
 */
export async function compareAcknowledged(
  acknowledged: AsyncIterable<AcknowledgedDocument>,
  settings: ComparisonSettings,
  port: PagePort,
): Promise<Comparison> {
  const sightings = new Sightings();
  const span = new Span();
  let withoutId = 0;
  for await (const { sourceId, published } of acknowledged) {
    if (sourceId === null) withoutId += 1;
    else {
      sightings.want(sourceId);
      span.add(published);
    }
  }
  const { wanted } = sightings;
  const isEmpty = wanted.length === 0;
  const incomplete = isEmpty ? null : await readUntilAllShow(span, sightings, settings, port);
  return {
    compared: wanted.length,
    withoutId,
    missing: missingIn(sightings),
    duplicate: wanted.filter((sourceId) => sightings.showsTwice(sourceId)),
    incomplete,
  };
}

/**
 * Reads again until all documents show, the time is up, or reading can't succeed.
 * @returns why not everything was read; `null` if it was
 */
async function readUntilAllShow(
  span: Span,
  sightings: Sightings,
  { giveUpMs, onWait }: ComparisonSettings,
  port: PagePort,
): Promise<string | null> {
  const untilMs = port.clock.now() + giveUpMs;
  for (let readings = 1; ; readings += 1) {
    sightings.forget();
    const bounded = boundedPages(port, sightings.wanted.length);
    const reading = await readWindow(span.window, bounded, (document) => sightings.add(document));
    const missing = missingIn(sightings).length;
    const isDone = reading.complete ? missing === 0 : reading.ended;
    if (isDone || port.clock.now() + PAUSE_MS > untilMs) {
      return reading.complete ? null : reading.message;
    }
    if (readings === 1) onWait?.(waitMessage(reading.complete, missing, giveUpMs));
    await port.clock.sleep(PAUSE_MS, port.signal);
  }
}

function missingIn(sightings: Sightings): readonly string[] {
  return sightings.wanted.filter((sourceId) => !sightings.shows(sourceId));
}

function waitMessage(complete: boolean, missing: number, giveUpMs: number): string {
  const what = complete
    ? `${missing} of the acknowledged documents ${missing === 1 ? "doesn't" : "don't"} show yet`
    : 'Not everything could be read';
  return `${what}. Reading again every ${PAUSE_MS / 1_000} s, for up to ${giveUpMs / 1_000} s.`;
}

class Span {
  #fromMs = Number.POSITIVE_INFINITY;
  #toMs = Number.NEGATIVE_INFINITY;
  #isKnown = true;

  add(published: PublishedWindow | null): void {
    const from = Date.parse(published?.from ?? '');
    const to = Date.parse(published?.to ?? '');
    this.#isKnown &&= from <= to;
    this.#fromMs = Math.min(this.#fromMs, from);
    this.#toMs = Math.max(this.#toMs, to);
  }

  /** Window in which all documents must show; unbounded if a time of publication is unknown. */
  get window() {
    if (!this.#isKnown) return windowAround(null, 'wide');
    const [from, to] = [this.#fromMs, this.#toMs].map((ms) => new Date(ms).toISOString());
    return windowAround({ from: from as string, to: to as string }, 'wide');
  }
}
