/** What a person is told of documents whose outcome is unknown. */
import { excerpt } from '../../api/transport/read-answer.js';
import type { Batch } from '../../model/documents.js';
import {
  absenceShowsMs,
  type Reconciled,
  type ReconciliationSettings,
} from './unconfirmed-request.js';

/** Why documents were sent again without reconciliation. */
export const RESENT = 'no usable answer came, and it was sent again without reconciliation';
/** Why one document was sent again as a proof. */
export const PROBE =
  'no usable answer came; reconciliation did not find it, and it was sent again to see whether what is sent shows';

/** Why documents were sent again that reconciliation didn't find. */
export function reconciledText({ readAfterMs }: Reconciled): string {
  const seconds = Math.round((readAfterMs ?? 0) / 1000);
  return `no usable answer came; reconciliation ${seconds} s later did not find it, so it was sent again: should the first request take effect later still, it is there twice`;
}

/** What is being reconciled. */
interface Held {
  readonly batch: Batch;
  readonly message: string;
  readonly endedMs: number;
  readonly refused: boolean;
}

/** Says what a run waits for, how long at least, and what would spare it that. */
export function waitingNotice(held: readonly Held[], settings: ReconciliationSettings): string {
  const refused = held.filter((one) => one.refused);
  const others = held.filter((one) => !one.refused);
  const until = Math.max(...held.map(({ endedMs }) => absenceShowsMs(endedMs, settings)));
  return [
    ...(others.length > 0 ? [`No usable answer came for ${documentsOf(others)}.`] : []),
    ...(refused.length > 0 ? [refusedNotice(refused)] : []),
    `Reconciling them, until ${clockTime(until)} at the earliest.`,
    ...(refused.length > 0
      ? ['If it takes nothing of a batch that it refuses, --refusals atomic skips this.']
      : []),
  ].join(' ');
}

function refusedNotice(refused: readonly Held[]): string {
  const batches = refused.length === 1 ? 'a batch' : `${refused.length} batches`;
  const reason = excerpt(refused[0]?.message ?? '');
  return `A refusal of ${batches} with ${documentsOf(refused)} leaves open whether the service took some of them (${reason}).`;
}

function documentsOf(held: readonly Held[]): string {
  const count = held.reduce((sum, { batch }) => sum + batch.count, 0);
  return count === 1 ? '1 document' : `${count} documents`;
}

/** The next whole minute of the clock on the wall. */
function clockTime(ms: number): string {
  const minute = new Date(Math.ceil(ms / 60_000) * 60_000);
  return minute.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}
