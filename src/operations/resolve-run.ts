import { Acknowledgements } from '../delivery/doubts/acknowledgements.js';
import { type Resolution, resolveEarlierDoubts } from '../delivery/doubts/earlier-doubts.js';
import { lookForDocuments } from '../delivery/doubts/look-for.js';
import { systemClock } from '../delivery/pacing/clock.js';
import type { Doubt, ResolvedDoubt } from '../delivery/reconciliation/doubt.js';
import { type KeptRunOptions, openKeptRun } from './open-kept-run.js';
import { readBackOptions } from './options.js';

export type { Resolution } from '../delivery/doubts/earlier-doubts.js';

/**
 * Looks once more for the documents of a run whose fate is unknown, and sends nothing. What is
 * missing counts as unsent from then on: the run can go on with it (`resume`).
 * @throws ResumeError, JournalError, OptionError
 */
export async function resolveRun(options: KeptRunOptions): Promise<Resolution> {
  const { held, service, close } = openKeptRun(options, 'resolveRun');
  try {
    const settings = readBackOptions(options);
    const signal = options.signal ?? new AbortController().signal;
    const acknowledgements = new Acknowledgements();
    const look = lookForDocuments(service.page, settings, { acknowledgements, signal });
    return await resolveEarlierDoubts(held.journal, acknowledgements, quietly(look));

    /** Another process's clock is not trusted for how long ago it was: the quiet time begins now. */
    function quietly(lookFor: typeof look): typeof look {
      return async (doubts: readonly Doubt[]): Promise<readonly ResolvedDoubt[]> => {
        await systemClock.sleep(Math.max(settings.quietMs, settings.timeoutMs), signal);
        return await lookFor(doubts);
      };
    }
  } finally {
    await close();
  }
}
