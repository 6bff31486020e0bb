import { systemClock } from '../../delivery/context.js';
import {
  type Comparison,
  compareAcknowledged,
} from '../../delivery/reconciliation/compare-acknowledged.js';
import type { Run } from '../../runs/run.js';
import { type KeptRunOptions, withKeptRun } from '../open-service.js';
import { reconciliationSettings } from '../settings.js';

export type { Comparison } from '../../delivery/reconciliation/compare-acknowledged.js';

/**
 * Compares everything that the service acknowledged in a run with what it shows now. Changes
 * nothing.
 * @throws ResumeError, JournalError, OptionError
 */
export async function verifyRun(options: KeptRunOptions): Promise<Comparison> {
  return await withKeptRun(options, 'verifyRun', async (run, service) => {
    const { giveUpMs } = reconciliationSettings(options);
    const { onNotice: onWait = () => {} } = options;
    const settings = { giveUpMs, onWait };
    const signal = options.signal ?? new AbortController().signal;
    const port = { page: service.page, clock: systemClock, signal };
    return await compareAcknowledged(acknowledgedIn(run), settings, port);
  });
}

/** All documents that were accepted, with the span in which those of their request were published. */
async function* acknowledgedIn(run: Run) {
  for await (const { documents, published } of run.sent(['accepted'])) {
    for (const { sourceId } of documents) if (sourceId !== null) yield { sourceId, published };
  }
}
