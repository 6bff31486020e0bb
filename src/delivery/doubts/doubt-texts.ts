/** What people are told of documents whose outcome is unknown. */

import type { Batch } from '../../model/documents.js';
import type { ReadBackSettings, ResolvedDoubt } from '../reconciliation/doubt.js';
import { absenceShowsMs } from '../reconciliation/doubt-case.js';

/** Why documents were sent again without being looked for. */
export const RESENT = 'no usable answer came, and it was sent again without looking for it';
/** Why one document was sent again as a proof. */
export const PROBE =
  'no usable answer came; it was looked for and not found, and sent again to see whether what is sent shows';

/** Why documents were sent again that were looked for. */
export function lookedFor({ lookedAfterMs }: ResolvedDoubt): string {
  const seconds = Math.round((lookedAfterMs ?? 0) / 1000);
  return `no usable answer came; it was looked for ${seconds} s later and not found, so it was sent again: should the first request take effect later still, it is there twice`;
}

/** What is being looked for. */
interface Held {
  readonly batch: Batch;
  readonly message: string;
  readonly endedMs: number;
  readonly refused?: boolean;
}

/** The messages of a service may be long, for all that they are one line. */
const MAX_REASON_CHARACTERS = 200;

/** Says what a run waits for, how long at least, and what would spare it that. */
export function lookingNotice(held: readonly Held[], patience: ReadBackSettings): string {
  const refused = held.filter((one) => one.refused);
  const others = held.filter((one) => !one.refused);
  const ends = held.map(({ endedMs }) => absenceShowsMs(endedMs, patience));
  const until = `until ${clockTime(Math.max(...ends))} at the earliest`;
  return [
    ...(others.length > 0 ? [`No usable answer came for ${documentsOf(others)}.`] : []),
    ...(refused.length > 0 ? [refusedNotice(refused)] : []),
    `Looking for them, ${until}.`,
    ...(refused.length > 0
      ? ['If it takes nothing of a batch that it refuses, --refusals atomic skips this.']
      : []),
  ].join(' ');
}

function refusedNotice(refused: readonly Held[]): string {
  const [first] = refused as readonly [Held, ...Held[]];
  const batches = refused.length === 1 ? 'a batch' : `${refused.length} batches`;
  const reason = shortened(first.message);
  return `A refusal of ${batches} with ${documentsOf(refused)} leaves open whether the service took some of them (${reason}).`;
}

function shortened(message: string): string {
  const characters = Array.from(message);
  if (characters.length <= MAX_REASON_CHARACTERS) return message;
  return `${characters.slice(0, MAX_REASON_CHARACTERS).join('')}…`;
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
