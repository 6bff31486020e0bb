import { VisibilityLag } from './acknowledged.js';
import type { PagePort } from './pages.js';
import { readCases } from './reading.js';
import type { Acknowledged } from './sightings.js';
import {
  minSettleMs,
  type Reconciled,
  type ReconciliationSettings,
  RequestCase,
  type UnconfirmedRequest,
} from './unconfirmed-request.js';

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
    const reading = await readCases(open, visibility.settleMs, port);
    const stale = visibility.note(reading);
    const { settleMs } = visibility;
    for (const one of open) one.weigh(reading, { settleMs, stale });
    // Where readings take long, half of the time is rest.
    const restMs = Math.max(pauseMs, reading.endedMs - reading.startedMs);
    const next = nextReadingMs(open, clock.now(), { settleMs, pauseMs: restMs });
    if (!signal.aborted) await clock.sleep(next - clock.now(), signal);
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_SHARE * minMs);
  }
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
