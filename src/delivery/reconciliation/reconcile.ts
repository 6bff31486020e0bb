import type { Acknowledged } from '../../model/documents.js';
import {
  minSettleMs,
  type Reconciled,
  type ReconciliationSettings,
  RequestCase,
  type UnconfirmedRequest,
} from './request-case.js';
import { boundedPages, type PagePort } from './service-pages.js';
import { VisibilityLag } from './visibility-lag.js';
import { covered, isShort, mergeWindows, type Window, windowAround } from './window.js';
import { documentsWithin, WindowsReading, withControls } from './windows-reading.js';

export interface ReconcilePort extends PagePort {
  /**
   * Acknowledged documents, which show how far readings can be trusted. A few hundred of the most
   * recent ones suffice.
   */
  readonly acknowledged: () => readonly Acknowledged[];
}

/**
 * Pause between readings that decide nothing, as a share of the settle time; it doubles up to a
 * limit.
 */
const FIRST_PAUSE_SHARE = 1 / 30;
const MAX_PAUSE_SHARE = 1 / 2;

/**
 * Finds out which documents of unconfirmed requests the service has (`RequestCase` has the rules).
 * Never rejects because of the network or the service; an interruption leaves open requests
 * undecided.
 *
 * Reads `POST /documents` instead of the feed: the feed is ordered by `downloaded`, which an
 * imported document takes from its export, so a cursor made at the start of the run may be later.
 *
 * Holds only the sourceIds that are wanted or acknowledged, not the documents read.
 * @returns one result for each request, in the same order
 */
export async function reconcile(
  requests: readonly UnconfirmedRequest[],
  settings: ReconciliationSettings,
  port: ReconcilePort,
): Promise<readonly Reconciled[]> {
  const { clock, signal } = port;
  const minMs = minSettleMs(settings);
  const visibility = new VisibilityLag(minMs);
  const cases = requests.map((request) => new RequestCase(request, clock.now(), settings));
  let pauseMs = FIRST_PAUSE_SHARE * minMs;
  for (;;) {
    const open = cases.filter((one) => one.isOpen);
    if (open.length === 0) return cases.map((one) => one.result());
    const reading = await read(open, visibility, port);
    const flaw = visibility.flawOf(reading);
    const { settleMs } = visibility;
    for (const one of open) one.evaluate(reading, settleMs, flaw);
    const nowMs = clock.now();
    // If readings take long, pause as long as they take.
    const restMs = Math.max(pauseMs, nowMs - reading.startedMs);
    const times = open
      .filter((one) => one.isOpen)
      .map((one) => one.nextReadingMs(nowMs, settleMs, restMs));
    // A reading at the latest time, seldom more than a pause away, can decide several cases.
    const nextMs = Math.max(nowMs, ...times);
    if (!signal.aborted) await clock.sleep(nextMs - nowMs, signal);
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_SHARE * minMs);
  }
}

/** A reading for the open cases, with what it needs. */
interface CaseReading {
  readonly cases: readonly RequestCase[];
  /** Documents acknowledged before it. */
  readonly acknowledged: readonly Acknowledged[];
  readonly reading: WindowsReading;
  readonly visibility: VisibilityLag;
  readonly port: PagePort;
}

/**
 * Reads once for these cases: first the minutes around their times of publication, then, for documents
 * that are still missing, wherever they may be.
 */
async function read(
  cases: readonly RequestCase[],
  visibility: VisibilityLag,
  port: ReconcilePort,
): Promise<WindowsReading> {
  const nowMs = port.clock.now();
  const acknowledged = port.acknowledged().filter((one) => one.acknowledgedMs <= nowMs);
  const reading = new WindowsReading(nowMs, acknowledged);
  const sought = cases.flatMap(({ soughtIds }) => [...soughtIds]);
  for (const id of sought) reading.sightings.want(id);
  const given = {
    cases,
    acknowledged,
    reading,
    visibility,
    port: boundedPages(port, sought.length),
  };
  await readNear(given);
  await readWide(given);
  return reading;
}

/** Reads the minutes in which the documents were published: a document shown there is there. */
async function readNear(given: CaseReading): Promise<void> {
  const { cases, acknowledged, reading, visibility, port } = given;
  const windows = mergeWindows(nearWindows(cases, acknowledged));
  // Documents are compared as they are read, so these have to be expected by now.
  reading.expect(documentsWithin(windows, dueIn(given)));
  await reading.read(windows, port);
  visibility.learn(reading, 'near');
}

/**
 * Reads, for missing documents that could be found absent by now, the wide windows in which they may
 * be, and documents that show whether the reading can be trusted.
 */
async function readWide(given: CaseReading): Promise<void> {
  const { cases, reading, visibility, port } = given;
  const undecided = cases.filter(
    (one) => one.isReady(reading.startedMs, visibility.settleMs) && one.hasMissing(reading),
  );
  if (undecided.length === 0) return;
  const wide = undecided.map(({ published }) => windowAround(published, 'wide'));
  const watched = withProofs(mergeWindows(wide), undecided, reading);
  await reading.read(withControls(watched, dueIn(given), reading), port);
  visibility.learn(reading, 'wide');
}

/** Documents acknowledged longer ago than the settle time, as it is known by now. */
function dueIn({ acknowledged, reading, visibility }: CaseReading): readonly Acknowledged[] {
  const { settleMs } = visibility;
  return acknowledged.filter((one) => reading.startedMs - one.acknowledgedMs > settleMs);
}

/**
 * Minutes of each case's documents, and of the first document acknowledged after all cases, from which
 * the settle time is learned.
 */
function nearWindows(
  cases: readonly RequestCase[],
  acknowledged: readonly Acknowledged[],
): readonly Window[] {
  const windows = cases.map(({ published }) =>
    windowAround(published, isShort(published) ? 'near' : 'wide'),
  );
  const proof = earliest(
    acknowledged.filter(
      (one) => isShort(one.published) && cases.every((each) => each.provesFreshness(one)),
    ),
  );
  return proof === undefined ? windows : [...windows, windowAround(proof.published, 'near')];
}

/**
 * Adds a window for each case whose proofs of fresh readings are neither shown so far nor within the
 * windows.
 */
function withProofs(
  cases: readonly Window[],
  undecided: readonly RequestCase[],
  { acknowledged, sightings }: WindowsReading,
): readonly Window[] {
  let windows = cases;
  for (const { provesFreshness } of undecided) {
    const proofs = acknowledged.filter(provesFreshness);
    const isThere = proofs.some(
      ({ sourceId, published }) =>
        sightings.shows(sourceId) || covered(windowAround(published, 'wide'), windows),
    );
    const proof = earliest(proofs.filter((one) => one.published !== null)) ?? earliest(proofs);
    if (isThere || proof === undefined) continue;
    windows = mergeWindows([...windows, windowAround(proof.published, 'wide')]);
  }
  return windows;
}

function earliest(documents: readonly Acknowledged[]): Acknowledged | undefined {
  return documents.toSorted((a, b) => a.acknowledgedMs - b.acknowledgedMs)[0];
}
