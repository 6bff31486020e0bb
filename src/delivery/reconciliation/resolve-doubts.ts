import type { Doubt, ReadBackSettings, ResolvedDoubt } from './doubt.js';
import { DoubtCase } from './doubt-case.js';
import { pause, type ReadBackPort } from './port.js';
import { takeLook } from './take-look.js';
import { Visibility } from './visibility.js';

/** Looks that decide nothing follow each other after a share of the least quiet time, then rarer. */
const FIRST_PAUSE_SHARE = 1 / 30;
const LONGEST_PAUSE_SHARE = 1 / 2;
/** A look waits this share of the quiet time for doubts that it could decide as well. */
const COMPANY_SHARE = 1 / 2;

/**
 * Looks for documents whose request failed in a way that leaves open whether it was applied, and
 * tells which of them the service has (see `DoubtCase` for when that is believed). Never rejects
 * for what network or service do; an interruption leaves undecided what is open.
 *
 * It reads `POST /documents`, not the feed: the feed goes by `downloaded`, which for an imported
 * document is what the export says, so that a cursor made when the run began may lie behind it.
 *
 * Only the sourceIds in doubt, and those acknowledged, are held; not what is read.
 * @returns one for each doubt, in their order
 */
export async function resolveDoubts(
  doubts: readonly Doubt[],
  settings: ReadBackSettings,
  port: ReadBackPort,
): Promise<readonly ResolvedDoubt[]> {
  const { clock } = port;
  const leastMs = Math.max(settings.quietMs, settings.timeoutMs);
  const visibility = new Visibility(settings);
  const cases = doubts.map((doubt) => new DoubtCase(doubt, clock.now(), settings));
  let pauseMs = FIRST_PAUSE_SHARE * leastMs;
  for (;;) {
    const open = cases.filter((one) => one.open);
    if (open.length === 0) return cases.map((one) => one.result());
    const look = await takeLook(open, visibility.quietMs, port);
    const stale = visibility.note(look);
    const { quietMs } = visibility;
    for (const one of open) one.weigh(look, { quietMs, stale });
    // Where looks take long, half of the time is rest.
    const restMs = Math.max(pauseMs, look.endedMs - look.startedMs);
    const next = nextLookMs(open, clock.now(), { quietMs, pauseMs: restMs });
    await pause(port, next - clock.now());
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_SHARE * leastMs);
  }
}

/** When the first needs a look, or a little later if others then need none of their own. */
function nextLookMs(
  cases: readonly DoubtCase[],
  nowMs: number,
  { quietMs, pauseMs }: { readonly quietMs: number; readonly pauseMs: number },
): number {
  const wishes = cases
    .filter((one) => one.open)
    .map((one) => one.nextLookMs(nowMs, quietMs, pauseMs));
  if (wishes.length === 0) return nowMs;
  const latest = Math.min(...wishes) + COMPANY_SHARE * quietMs;
  return Math.max(...wishes.filter((wish) => wish <= latest));
}
