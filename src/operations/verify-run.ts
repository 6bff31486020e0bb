import { IMPORTED_SOURCE } from '../delivery/doubts/look-for.js';
import { systemClock } from '../delivery/pacing/clock.js';
import {
  type Comparison,
  compareAcknowledged,
} from '../delivery/reconciliation/compare-acknowledged.js';
import type { Journal } from '../runs/sqlite/journal.js';
import { recordsInOrder } from '../runs/sqlite/journal.js';
import { type KeptRunOptions, openKeptRun } from './open-kept-run.js';
import { readBackOptions } from './options.js';

export type { Comparison } from '../delivery/reconciliation/compare-acknowledged.js';

/** Extra documents that are named; others are counted. */
const MOST_EXAMPLES = 10;

/**
 * Compares everything that the service acknowledged in a run with what it shows now. Changes
 * nothing.
 * @throws ResumeError, JournalError, OptionError
 */
export async function verifyRun(options: KeptRunOptions): Promise<Comparison> {
  const { held, service, close } = openKeptRun(options, 'verifyRun');
  try {
    const { giveUpMs } = readBackOptions(options);
    const settings = { source: IMPORTED_SOURCE, giveUpMs, examples: MOST_EXAMPLES };
    const signal = options.signal ?? new AbortController().signal;
    const port = { page: service.page, clock: systemClock, signal };
    return await compareAcknowledged(acknowledgedIn(held.journal), settings, port);
  } finally {
    await close();
  }
}

/** All documents that were accepted, with the span in which those of their request were published. */
async function* acknowledgedIn(journal: Journal) {
  const states = journal.states();
  const intents = new Set<number>();
  for (const [, { kind, intent }] of states.entries()) if (kind === 'accepted') intents.add(intent);
  for (const number of intents) {
    const intent = journal.intent(number);
    if (intent === undefined) continue;
    const { ids, published } = intent;
    for (const { input, record, index } of recordsInOrder(intent.records)) {
      const sourceId = ids[index] ?? null;
      const state = states.get(input, record);
      if (state?.kind !== 'accepted' || state.intent !== number || sourceId === null) continue;
      yield { sourceId, published };
    }
  }
}
