import { type Clock, systemClock } from '../../delivery/clock.js';
import type { Doubt, ReadBackSettings, ResolvedDoubt } from '../../delivery/read-back/doubt.js';
import type { PagePort } from '../../delivery/read-back/port.js';
import { resolveDoubts } from '../../delivery/read-back/resolve-doubts.js';
import type { Acknowledgements } from './acknowledgements.js';

/** The network that imported reviews belong to: every document is made with it. */
export const IMPORTED_SOURCE = 'RVW';

/** Looks for documents whose fate is unknown; gives what is known of each, in the same order. */
export type LookFor = (doubts: readonly Doubt[]) => Promise<readonly ResolvedDoubt[]>;

/** Looks through the service's own pages. */
export function lookForDocuments(
  page: PagePort['page'],
  settings: ReadBackSettings,
  {
    acknowledgements,
    signal,
    clock = systemClock,
  }: {
    readonly acknowledgements: Acknowledgements;
    readonly signal: AbortSignal;
    readonly clock?: Clock;
  },
): LookFor {
  const acknowledged = () => acknowledgements.list();
  const port = { page, clock, signal, source: IMPORTED_SOURCE, acknowledged };
  return (doubts) => resolveDoubts(doubts, settings, port);
}
