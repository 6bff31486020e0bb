import {
  type DocumentRange,
  type PublishedWindow,
  publishedWindow,
  sourceIdsOf,
} from '../../model/documents.js';
import type { Clock } from '../pacing/clock.js';
import type { DeliveryPort } from '../port.js';
import { readWindows } from './reading.js';
import { type Acknowledged, Sightings } from './sightings.js';
import { type Window, windowAround } from './window.js';
import { isNearUtc, windowNearUtc } from './zone.js';

/** What it takes to check the first documents that are to be sent. */
export interface UnsentCheck extends Pick<DeliveryPort, Asked> {
  /** How long to wait before reading, in milliseconds: what was sent last may not show yet. */
  readonly waitMs: number;
  /** The settle time, in milliseconds. */
  readonly settleMs: number;
  /** Documents that the journal calls accepted, a few. */
  readonly acknowledged: () => Promise<readonly Acknowledged[]>;
  readonly clock: Clock;
}

type Asked = 'sentByOthers' | 'page' | 'notice' | 'signal' | 'stop' | 'stopped';

/** Some more than a request: the first one alone may have been lost on its way. */
const MIN_CHECKED = 1_000;

/**
 * Gives documents on that the journal calls unsent, once the first of them were checked. If the
 * service has any of them, the journal isn't what it was when the run was cut off (it was copied
 * without its log, or comes from a backup), and nothing is sent. One reading suffices: only presence
 * counts, and what is absent would have been sent without reconciliation.
 */
export async function* checkUnsent(
  ranges: AsyncIterable<DocumentRange>,
  check: UnsentCheck,
): AsyncGenerator<DocumentRange, void, undefined> {
  const first: DocumentRange[] = [];
  let fewer = MIN_CHECKED;
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
async function areUnsent(ranges: readonly DocumentRange[], check: UnsentCheck): Promise<boolean> {
  if (check.stopped()) return false;
  await settle(check);
  const ids = ranges.flatMap(sourceIdsOf).filter((id) => id !== null);
  const sightings = new Sightings(ids);
  const windows = ids.length === 0 ? [] : [await windowOf(publishedWindow({ ranges }), check)];
  const { broken } = await readWindows(windows, sightings, check);
  if (check.stopped()) return false;
  const there = await withoutOthers(sightings.list('shown'), ranges, check);
  if (there.length > 0) {
    check.stop({ kind: 'changed', message: found(there, sightings.size) });
    return false;
  }
  if (broken !== null) {
    check.notice(
      `Whether the service has documents already that the journal calls unsent could not be found out: ${broken}.`,
    );
  }
  return true;
}

async function windowOf(published: PublishedWindow | null, check: UnsentCheck): Promise<Window> {
  const startedMs = check.clock.now();
  const reading = { ...check, startedMs, acknowledged: await check.acknowledged() };
  const isKnown = await isNearUtc(reading, undefined, check);
  return isKnown ? windowNearUtc(published, startedMs) : windowAround(published);
}

/** What other runs have sent meanwhile isn't this one's. */
async function withoutOthers(
  there: readonly string[],
  ranges: readonly DocumentRange[],
  { sentByOthers }: UnsentCheck,
): Promise<readonly string[]> {
  if (there.length === 0) return there;
  const others = new Set((await sentByOthers(ranges)).flatMap(sourceIdsOf));
  return there.filter((id) => !others.has(id));
}

async function settle({ waitMs, notice, clock, signal }: UnsentCheck): Promise<void> {
  if (waitMs <= 0) return;
  if (waitMs >= 1_000) {
    notice(
      `The run was cut off moments ago: waiting ${Math.ceil(waitMs / 1_000)} s for what was sent last to show.`,
    );
  }
  await clock.sleep(waitMs, signal);
}

function found(there: readonly string[], checked: number): string {
  const [example = ''] = there;
  return `the service has ${there.length} of the first ${checked} documents that were to be sent (such as ${JSON.stringify(example)}), and the journal says that none of them was sent before; so nothing was sent. Either the journal is older than the run (copied without journal.db-wal, or restored from a backup), or they were imported in another way. Restore the run's whole folder if you can; else resume with --unsent reconcile, which checks every document and sends only what is missing, or with --unsent send, if they are to be there twice`;
}
