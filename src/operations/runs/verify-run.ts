import { systemClock } from '../../delivery/clock.js';
import {
  type Comparison,
  compareAcknowledged,
} from '../../delivery/reconciliation/compare-acknowledged.js';
import type { StoredRun } from '../../runs/stored-run.js';
import { reconciliationSettings } from '../settings.js';
import { type StoredRunOptions, withStoredRun } from './with-stored-run.js';

export type { Comparison } from '../../delivery/reconciliation/compare-acknowledged.js';

/**
 * Compares all documents that the service acknowledged in a run with those it shows now. Read-only.
 * @throws ResumeError, AccessError, JournalError, OptionError
 */
export async function verifyRun(options: StoredRunOptions): Promise<Comparison> {
  return await withStoredRun(options, 'verifyRun', async (run, service) => {
    const { giveUpMs } = reconciliationSettings(options);
    const { onNotice: onWait = () => {} } = options;
    const settings = { giveUpMs, onWait };
    const signal = options.signal ?? new AbortController().signal;
    const port = { page: service.page, clock: systemClock, signal };
    return await compareAcknowledged(acknowledgedIn(run), settings, port);
  });
}

/** Yields accepted documents, each with the range of publication dates in its request. */
async function* acknowledgedIn(run: StoredRun) {
  for await (const { documents, published } of run.sent(['accepted'])) {
    for (const { sourceId } of documents) yield { sourceId, published };
  }
}
