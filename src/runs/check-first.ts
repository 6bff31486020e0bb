import { setTimeout as wait } from 'node:timers/promises';
import { type DocumentRange, sourceIdsOf } from '../model/documents.js';
import { type PublishedWindow, publishedWindow } from '../model/published-window.js';
import type { StopConditions } from '../outcomes/stop-conditions.js';

/** Documents as they are looked for. */
export interface SoughtDocument {
  readonly sourceId: string | null;
  readonly published: PublishedWindow | null;
}

/** What the service shows of some documents. */
export interface Sighting {
  /** Of them, those that can be looked for. */
  readonly compared: number;
  readonly there: readonly string[];
  /** Why not all could be read, as half a sentence; `null`: all was. */
  readonly incomplete: string | null;
}

/** What it takes to check the first documents that are to be sent. */
export interface FirstCheck {
  readonly stops: StopConditions;
  readonly lookOnce: (documents: Iterable<SoughtDocument>) => Promise<Sighting>;
  /** How long to wait before looking, in milliseconds: what was sent last may not show yet. */
  readonly waitMs: number;
  readonly notice: (message: string) => void;
  readonly signal: AbortSignal;
}

/** Some more than a request: the first one alone may have been lost on its way. */
const FEWEST_CHECKED = 1_000;

/**
 * Gives documents on that the journal calls unsent, once the first of them were looked for. If the
 * service has any of them, the journal isn't what it was when the run was cut off (it was copied
 * without its log, or comes from a backup), and nothing is sent. One look suffices: only presence
 * counts, and what is absent would have been sent without looking.
 */
export async function* checkFirst(
  ranges: AsyncIterable<DocumentRange>,
  check: FirstCheck,
): AsyncGenerator<DocumentRange, void, undefined> {
  const first: DocumentRange[] = [];
  let fewer = FEWEST_CHECKED;
  for await (const range of ranges) {
    if (fewer <= 0) {
      yield range;
      continue;
    }
    first.push(range);
    fewer -= range.to - range.from;
    if (fewer > 0) continue;
    if (!(await areUnsent(first, check))) return;
    yield* first;
  }
  if (fewer > 0 && first.length > 0 && (await areUnsent(first, check))) yield* first;
}

/** Whether the service has none of them, as far as can be told. If not, the run ends. */
async function areUnsent(first: readonly DocumentRange[], check: FirstCheck): Promise<boolean> {
  const { stops, lookOnce, notice } = check;
  if (stops.stopsSending) return false;
  await settle(check);
  const { compared, there, incomplete } = await lookOnce(soughtIn(first));
  if (stops.stopsSending) return false;
  if (there.length > 0) {
    stops.stop({ kind: 'changed', message: found({ compared, there }) });
    return false;
  }
  if (incomplete !== null) {
    notice(
      `Whether the service has documents already that the journal calls unsent could not be found out: ${incomplete}.`,
    );
  }
  return true;
}

async function settle({ waitMs, notice, signal }: FirstCheck): Promise<void> {
  if (waitMs <= 0) return;
  if (waitMs >= 1_000) {
    notice(
      `The run was cut off moments ago: waiting ${Math.ceil(waitMs / 1_000)} s for what was sent last to show.`,
    );
  }
  // An interruption is for the stop conditions to tell.
  await wait(waitMs, undefined, { signal }).catch(() => {});
}

function* soughtIn(ranges: readonly DocumentRange[]): Generator<SoughtDocument> {
  const published = publishedWindow({ ranges, count: 0, bytes: 0 });
  for (const range of ranges) {
    for (const sourceId of sourceIdsOf(range)) yield { sourceId, published };
  }
}

function found({ compared, there }: Pick<Sighting, 'compared' | 'there'>): string {
  const [example = ''] = there;
  return `the service has ${there.length} of the first ${compared} documents that were to be sent (such as ${JSON.stringify(example)}), and the journal says that none of them was sent before; so nothing was sent. Either the journal is older than the run (copied without journal.db-wal, or restored from a backup), or they were imported in another way. Restore the run's whole folder if you can; else go on with --unsent reconcile, which looks for every document and sends only what is missing, or with --unsent send, if they are to be there twice`;
}
