import { inBatches, type Row } from './batches.js';
import { firstOf } from './first-of.js';
import type { Kind } from './kind.js';
import type { Output } from './output-options.js';
import { printRecords } from './print-records.js';

/** What was printed. */
export interface Printed {
  readonly count: number;
  /** Whether it ended at the limit, so that there may be more. */
  readonly cut: boolean;
}

/** Writes records to stdout up to a limit, and asks for no more than those. */
export async function printFirst<R extends Row>(
  records: AsyncIterable<R>,
  { kind, limit, output }: { kind: Kind<R>; limit: number; output: Output },
): Promise<Printed> {
  const first = firstOf(records, limit);
  const whole = await printRecords(inBatches(first.records), kind, output);
  return { count: first.count(), cut: whole && first.count() >= limit };
}
