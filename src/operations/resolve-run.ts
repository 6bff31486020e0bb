import { Acknowledgements } from '../delivery/doubts/acknowledgements.js';
import { type Resolution, resolveEarlierDoubts } from '../delivery/doubts/earlier-doubts.js';
import { lookForDocuments } from '../delivery/doubts/look-for.js';
import { systemClock } from '../delivery/pacing/clock.js';
import { type KeptRunOptions, withKeptRun } from './open-kept-run.js';
import { readBackOptions } from './options.js';

export type { Resolution } from '../delivery/doubts/earlier-doubts.js';

/**
 * Looks once more for the documents of a run whose fate is unknown, and sends nothing. What is
 * missing counts as unsent from then on: `resume` sends it.
 * @throws ResumeError, JournalError, OptionError
 */
export async function resolveRun(options: KeptRunOptions): Promise<Resolution> {
  return await withKeptRun(options, 'resolveRun', async (run, service) => {
    const settings = readBackOptions(options);
    const signal = options.signal ?? new AbortController().signal;
    const acknowledgements = new Acknowledgements();
    const look = lookForDocuments(service.page, settings, { acknowledgements, signal });
    return await resolveEarlierDoubts(run, acknowledgements, async (doubts) => {
      // Another process's clock is not trusted for how long ago it was: settling begins now.
      await systemClock.sleep(Math.max(settings.quietMs, settings.timeoutMs), signal);
      return await look(doubts);
    });
  });
}
