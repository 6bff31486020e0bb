import type { PublishedWindow } from '../../model/documents.js';
import { IMPORTED_SOURCE, type PagePort, type ShownDocument } from './pages.js';
import { readWindow } from './read-window.js';
import type { Acknowledged, Sightings } from './sightings.js';
import { PADDING_MS, spanOf, type Window, windowAround } from './window.js';

/** From then on it is known how far a zone that was near UTC once can be from it. */
const SINCE_MS = Date.UTC(2000, 0, 1);
/** What is published later may be given another time. */
const MIN_AGE_MS = PADDING_MS.anyZone;
/** Of a longer span, showing near it doesn't tell enough. */
const MAX_WITNESS_SPAN_MS = 30 * 60_000;
const MINUTE_MS = 60_000;

/** Ends in Z or an offset, so that it names a moment. */
const NAMES_A_MOMENT = /(?:Z|[+-]\d\d:?\d\d)$/i;

/** A reading that is to find out about the filters' zone; times in milliseconds. */
export interface ZoneReading {
  readonly acknowledged: readonly Acknowledged[];
  /** Told of what is read on the way, if that is of use. */
  readonly sightings?: Sightings;
  readonly startedMs: number;
  readonly settleMs: number;
}

/**
 * Whether the filters' zone is seen to be near UTC, in this very reading: acknowledged documents
 * show when a few minutes around their publication are asked for, and with the moment that was sent.
 * One that shows otherwise, or should show and doesn't, disproves it.
 * @param proof one of them that would prove more than that, if it shows
 */
export async function isNearUtc(
  { acknowledged, sightings, startedMs, settleMs }: ZoneReading,
  proof: Acknowledged | undefined,
  port: PagePort,
): Promise<boolean> {
  const usable = acknowledged
    .filter((one) => isWitness(one, startedMs))
    .toSorted((a, b) => a.acknowledgedMs - b.acknowledgedMs);
  const proofs = usable.filter((one) => one === proof);
  let seen = false;
  for (const witness of new Set([...usable.slice(0, 2), ...proofs])) {
    const shown = await shownNear(witness, sightings, port);
    if (!shown.every((document) => isAsSent(document, witness))) return false;
    if (shown.length > 0) seen = true;
    else if (startedMs - witness.acknowledgedMs > settleMs) return false;
  }
  return seen;
}

/** The window of which a complete reading shows what is absent, if the filters' zone is near UTC. */
export function windowNearUtc(published: PublishedWindow | null, startedMs: number): Window {
  const isUsual = isUsualTime(spanOf(published), startedMs);
  return windowAround(published, isUsual ? PADDING_MS.nearUtc : PADDING_MS.anyZone);
}

function isWitness({ published }: Acknowledged, startedMs: number): boolean {
  const span = spanOf(published);
  if (span === undefined || span.to - span.from > MAX_WITNESS_SPAN_MS) return false;
  return isUsualTime(span, startedMs);
}

function isUsualTime(span: Window | undefined, startedMs: number): boolean {
  return span !== undefined && span.from >= SINCE_MS && span.to <= startedMs - MIN_AGE_MS;
}

/** What a few minutes around its publication show of an acknowledged document. */
async function shownNear(
  { sourceId, published }: Acknowledged,
  sightings: Sightings | undefined,
  port: PagePort,
): Promise<readonly ShownDocument[]> {
  const shown: ShownDocument[] = [];
  await readWindow(windowAround(published, PADDING_MS.sameMinute), port, (document) => {
    sightings?.see(document);
    if (document.source === IMPORTED_SOURCE && document.sourceId === sourceId) shown.push(document);
  });
  return shown;
}

function isAsSent({ published }: ShownDocument, witness: Acknowledged): boolean {
  const sent = spanOf(witness.published);
  if (published === null || sent === undefined || !NAMES_A_MOMENT.test(published)) return false;
  const ms = Date.parse(published);
  return ms > sent.from - MINUTE_MS && ms < sent.to + MINUTE_MS;
}
