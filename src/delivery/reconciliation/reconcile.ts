import {
  minSettleMs,
  type Reconciled,
  type ReconciliationSettings,
  RequestCase,
  type UnconfirmedRequest,
} from './decision.js';
import { type Acknowledged, VisibilityLag, WindowsReading, withControls } from './evidence.js';
import type { PagePort } from './read-window.js';
import { covered, isShort, mergeWindows, type Window, windowAround } from './window.js';

/** What reconciling needs from outside. */
export interface ReconcilePort extends PagePort {
  /**
   * Documents that were acknowledged: whether they show tells how far readings can be trusted. The
   * most recent ones suffice, a few hundred.
   */
  readonly acknowledged: () => readonly Acknowledged[];
}

/** Readings that decide nothing follow each other after a share of the settle time, then rarer. */
const FIRST_PAUSE_SHARE = 1 / 30;
const MAX_PAUSE_SHARE = 1 / 2;
/** A reading waits this share of the settle time for requests that it could decide as well. */
const COMPANY_SHARE = 1 / 2;

/**
 * Reconciles the documents of requests that may or may not have been applied, and tells which of
 * them the service has (see `RequestCase` for when that is believed). Never rejects for what network
 * or service do; an interruption leaves undecided what is open.
 *
 * It reads `POST /documents`, not the feed: the feed goes by `downloaded`, which for an imported
 * document is what the export says, so that a cursor made when the run began may lie behind it.
 *
 * Only the sourceIds that are sought, and those acknowledged, are held; not what is read.
 * @returns one for each request, in their order
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
    const open = cases.filter((one) => one.open);
    if (open.length === 0) return cases.map((one) => one.result());
    const reading = await read(open, visibility, port);
    const flaw = visibility.flawOf(reading);
    const { settleMs } = visibility;
    for (const one of open) one.weigh(reading, settleMs, flaw);
    // Where readings take long, half of the time is rest.
    const restMs = Math.max(pauseMs, clock.now() - reading.startedMs);
    const next = nextReadingMs(open, clock.now(), { settleMs, pauseMs: restMs });
    if (!signal.aborted) await clock.sleep(next - clock.now(), signal);
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_SHARE * minMs);
  }
}

/**
 * Reads for these cases once. First the minutes in which their documents were published: what shows
 * there is there. Then, for what doesn't and could be found absent by now, the wide windows in which
 * it may be, and documents that show whether the reading can be trusted.
 */
async function read(
  cases: readonly RequestCase[],
  visibility: VisibilityLag,
  port: ReconcilePort,
): Promise<WindowsReading> {
  const nowMs = port.clock.now();
  const acknowledged = port.acknowledged().filter((one) => one.acknowledgedMs <= nowMs);
  const reading = new WindowsReading(nowMs, acknowledged);
  for (const { soughtIds } of cases) for (const id of soughtIds) reading.sightings.want(id);

  await reading.read(mergeWindows(nearWindows(cases, acknowledged)), port);
  visibility.learn(reading, 'near');
  const { settleMs } = visibility;
  const undecided = cases.filter((one) => one.isReady(nowMs, settleMs) && one.lacksSome(reading));
  if (undecided.length === 0) return reading;
  const wide = undecided.map(({ published }) => windowAround(published, 'wide'));
  const proving = withProofs(mergeWindows(wide), undecided, reading);
  const settled = acknowledged.filter((one) => nowMs - one.acknowledgedMs > settleMs);
  await reading.read(withControls(proving, settled, reading), port);
  visibility.learn(reading, 'wide');
  return reading;
}

/**
 * The minutes of each case, and of the first document that was acknowledged after all of them:
 * when it comes tells how late the service shows what it took.
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
      (one) => isShort(one.published) && cases.every((each) => each.isProof(one)),
    ),
  );
  return proof === undefined ? windows : [...windows, windowAround(proof.published, 'near')];
}

/** One more window for each case that has no proof within them, or that shows. */
function withProofs(
  cases: readonly Window[],
  undecided: readonly RequestCase[],
  { acknowledged, sightings }: WindowsReading,
): readonly Window[] {
  let windows = cases;
  for (const { isProof } of undecided) {
    const proofs = acknowledged.filter(isProof);
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

/** When the first needs a reading, or a little later if others then need none of their own. */
function nextReadingMs(
  cases: readonly RequestCase[],
  nowMs: number,
  { settleMs, pauseMs }: { readonly settleMs: number; readonly pauseMs: number },
): number {
  const wishes = cases
    .filter((one) => one.open)
    .map((one) => one.nextReadingMs(nowMs, settleMs, pauseMs));
  if (wishes.length === 0) return nowMs;
  const latest = Math.min(...wishes) + COMPANY_SHARE * settleMs;
  return Math.max(...wishes.filter((wish) => wish <= latest));
}
