import type { PublishedWindow } from '../../model/documents.js';
import type { PagePort } from './pages.js';
import { readWindow } from './read-window.js';
import { type Acknowledged, Sightings, type WindowsReading } from './sightings.js';
import type { RequestCase } from './unconfirmed-request.js';
import {
  covered,
  mergeWindows,
  PADDING_MS,
  spanOf,
  touches,
  type Window,
  windowAround,
} from './window.js';
import { isNearUtc, windowNearUtc } from './zone.js';

/** What of a reading is known when all of its windows were read. */
type Read = Pick<WindowsReading, 'complete' | 'broken' | 'ended' | 'isDown'>;

/**
 * Reads for these cases once. First the minutes in which their documents were published: what shows
 * there is there. Then, for what doesn't, the wider windows in which it may be, unless it could not
 * be found absent yet, and documents that show whether the reading can be trusted.
 */
export async function readCases(
  cases: readonly RequestCase[],
  settleMs: number,
  port: PagePort & { readonly acknowledged: () => readonly Acknowledged[] },
): Promise<WindowsReading> {
  const startedMs = port.clock.now();
  const acknowledged = port.acknowledged().filter((one) => one.acknowledgedMs <= startedMs);
  const isSettled = (one: Acknowledged) => startedMs - one.acknowledgedMs > settleMs;
  const sightings = new Sightings();
  for (const { soughtIds } of cases) for (const id of soughtIds) sightings.want(id);
  for (const { sourceId } of acknowledged) sightings.want(sourceId);

  const near = await readWindows(mergeWindows(cases.flatMap(nearWindows)), sightings, port);
  const lacking = near.ended ? [] : cases.filter((one) => one.lacksSome(sightings));
  const ready = lacking.filter((one) => one.ready(startedMs, settleMs));
  const zone = { acknowledged, sightings, startedMs, settleMs };
  const proven =
    lacking.length > 0 && (await isNearUtc(zone, proofOfAll(ready, acknowledged), port));
  const windowOf: WindowsReading['windowOf'] = (published) =>
    proven ? windowNearUtc(published, startedMs) : windowAround(published);

  const rest = lacking.filter(
    (one) => !proven || ready.includes(one) || nearWindows(one).length === 0,
  );
  const wide = mergeWindows(rest.map(({ published }) => windowOf(published)));
  const proving = withProofs(wide, ready, { acknowledged, sightings, windowOf });
  const settled = ready.length === 0 ? [] : acknowledged.filter(isSettled);
  const { windows, controls } = withControls(proving, settled, windowOf);
  for (const { sourceId } of controls) sightings.want(sourceId);
  const far = await readWindows(windows, sightings, port);
  return {
    startedMs,
    endedMs: port.clock.now(),
    complete: [...near.complete, ...far.complete],
    broken: near.broken ?? far.broken,
    ended: near.ended || far.ended,
    isDown: near.isDown || far.isDown,
    windowOf,
    acknowledged: [...acknowledged, ...controls],
    sightings,
  };
}

/** Reads windows one after the other, as long as there is use in it. */
export async function readWindows(
  windows: readonly Window[],
  sightings: Sightings,
  port: PagePort,
): Promise<Read> {
  const complete: Window[] = [];
  let broken: string | null = null;
  let [ended, isDown] = [false, false];
  for (const window of windows) {
    if (ended) break;
    const reading = await readWindow(window, port, sightings.see);
    if (reading.complete) complete.push(window);
    else {
      broken ??= reading.message;
      ended = reading.ended;
      isDown ||= reading.isDown;
    }
  }
  return { complete, broken, ended, isDown };
}

/** Of a longer span, the wide window is hardly wider. */
const MAX_NEAR_SPAN_MS = 2 * PADDING_MS.nearUtc;

/** The window of the minutes in which a case's documents were published, if that is a short one. */
function nearWindows({ published }: RequestCase): readonly Window[] {
  const span = spanOf(published);
  if (span === undefined || span.to - span.from > MAX_NEAR_SPAN_MS) return [];
  return [windowAround(published, PADDING_MS.sameMinute)];
}

/** The first document that was acknowledged after all of these. */
function proofOfAll(
  ready: readonly RequestCase[],
  acknowledged: readonly Acknowledged[],
): Acknowledged | undefined {
  const proofs = acknowledged.filter((one) => ready.every(({ isProof }) => isProof(one)));
  return ready.length === 0 ? undefined : earliest(proofs);
}

/** One more window for each case that can be decided and has no proof within them, or that shows. */
function withProofs(
  cases: readonly Window[],
  ready: readonly RequestCase[],
  {
    acknowledged,
    sightings,
    windowOf,
  }: Pick<WindowsReading, 'acknowledged' | 'sightings' | 'windowOf'>,
): readonly Window[] {
  let windows = cases;
  for (const one of ready) {
    const proofs = acknowledged.filter(one.isProof);
    const within = proofs.some(
      ({ sourceId, published }) =>
        sightings.shows(sourceId) || covered(windowOf(published), windows),
    );
    const proof =
      earliest(proofs.filter(({ published }) => published !== null)) ?? earliest(proofs);
    if (!within && proof) windows = mergeWindows([...windows, windowOf(proof.published)]);
  }
  return windows;
}

/** So many acknowledged documents tell whether documents show under the sourceIds that were sent. */
const MIN_CONTROLS = 100;

/**
 * The documents of these requests that should show in the windows: if some of them don't, absence
 * proves nothing. Where they are few, there are more windows for further requests, those of the
 * shortest spans.
 */
function withControls(
  windows: readonly Window[],
  settled: readonly Acknowledged[],
  windowOf: WindowsReading['windowOf'],
): { readonly windows: readonly Window[]; readonly controls: readonly Acknowledged[] } {
  let wider = windows;
  let controls = allWithin(windows, settled, windowOf);
  for (const span of shortestFirst(settled)) {
    if (controls.length >= MIN_CONTROLS) break;
    if (covered(windowOf(span), wider)) continue;
    wider = mergeWindows([...wider, windowOf(span)]);
    controls = allWithin(wider, settled, windowOf);
  }
  return { windows: wider, controls };
}

function allWithin(
  windows: readonly Window[],
  settled: readonly Acknowledged[],
  windowOf: WindowsReading['windowOf'],
): readonly Acknowledged[] {
  return settled
    .filter(({ request: { published } }) => touches(published, windows))
    .flatMap(({ acknowledgedMs, request }) =>
      request
        .documents()
        .filter(({ published }) => covered(windowOf(published), windows))
        .map((document) => ({ ...document, acknowledgedMs, request })),
    );
}

/** The spans in which the documents of these requests were published, as far as they are known. */
function shortestFirst(settled: readonly Acknowledged[]): readonly PublishedWindow[] {
  const lengthOf = (span: PublishedWindow) => Date.parse(span.to) - Date.parse(span.from);
  return settled
    .flatMap(({ request }) => request.published ?? [])
    .toSorted((a, b) => lengthOf(a) - lengthOf(b));
}

function earliest(documents: readonly Acknowledged[]): Acknowledged | undefined {
  return documents.toSorted((a, b) => a.acknowledgedMs - b.acknowledgedMs)[0];
}
