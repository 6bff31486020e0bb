import type { PublishedWindow } from '../../model/documents.js';
import { Sightings } from './evidence.js';
import { type PagePort, readWindow } from './read-window.js';
import { windowAround } from './window.js';

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
   * Why not all was read, as half a sentence: then what is missing may be there all the same.
   * `null`: all was read.
   */
  readonly incomplete: string | null;
}

const PAUSE_MS = 5_000;

/**
 * Compares what was acknowledged with what the service shows between the first and the last
 * `published` of it. Holds every sourceId: some 100 MB for a million.
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
  const incomplete = isEmpty ? null : await readUntilThere(span, sightings, settings, port);
  return {
    compared: wanted.length,
    withoutId,
    missing: missingIn(sightings),
    duplicate: wanted.filter((sourceId) => sightings.showsTwice(sourceId)),
    incomplete,
  };
}

/**
 * Reads again until all that is sought shows, as long as there is time and use in it.
 * @returns why not all was read; `null`: all was
 */
async function readUntilThere(
  span: Span,
  sightings: Sightings,
  { giveUpMs, onWait }: ComparisonSettings,
  port: PagePort,
): Promise<string | null> {
  const untilMs = port.clock.now() + giveUpMs;
  for (let readings = 1; ; readings += 1) {
    sightings.forget();
    const reading = await readWindow(span.window, port, (document) => sightings.see(document));
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

/** From the first to the last moment at which documents were published, as far as that is known. */
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

  /** The window in which all of them must show: everything, if one of them doesn't say. */
  get window() {
    if (!this.#isKnown) return windowAround(null, 'wide');
    const [from, to] = [this.#fromMs, this.#toMs].map((ms) => new Date(ms).toISOString());
    return windowAround({ from: from as string, to: to as string }, 'wide');
  }
}
