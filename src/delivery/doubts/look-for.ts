import type { Sighting, SoughtDocument } from '../../runs/check-first.js';
import { type Clock, systemClock } from '../pacing/clock.js';
import { compareAcknowledged } from '../reconciliation/compare-acknowledged.js';
import type { Doubt, ReadBackSettings, ResolvedDoubt } from '../reconciliation/doubt.js';
import type { PagePort } from '../reconciliation/port.js';
import { resolveDoubts } from '../reconciliation/resolve-doubts.js';
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

/** Looks through the service's own pages once, for documents that should not be there. */
export async function lookOnce(
  documents: Iterable<SoughtDocument>,
  page: PagePort['page'],
  signal: AbortSignal,
): Promise<Sighting> {
  const ids: string[] = [];
  async function* sought(): AsyncGenerator<SoughtDocument> {
    for (const document of documents) {
      if (document.sourceId !== null) ids.push(document.sourceId);
      yield document;
    }
  }
  const settings = { source: IMPORTED_SOURCE, giveUpMs: 0, examples: 0 };
  const port = { page, clock: systemClock, signal };
  const { compared, missing, incomplete } = await compareAcknowledged(sought(), settings, port);
  const absent = new Set(missing);
  return { compared, there: ids.filter((id) => !absent.has(id)), incomplete };
}
