import type { Delivery } from '../../delivery/deliver.js';
import { batchOf, type DocumentRange } from '../../model/documents.js';
import type { Problem } from '../../model/record.js';
import type { RecordState } from '../../model/record-ranges.js';
import { recordNumber } from '../../model/record-ranges.js';
import type { OutcomeRecorder } from '../../outcomes/outcome-recorder.js';
import type { StopConditions } from '../../outcomes/stop-conditions.js';
import type { EarlierPart, Run } from '../../runs/run.js';

/** What it takes to tell what was sent before. */
interface KeptRun {
  readonly kept: Run;
  readonly recorder: OutcomeRecorder;
  readonly stops: StopConditions;
  readonly delivery: Delivery;
  /** Whether documents that the service refused are to be sent once more. */
  readonly retryRejected: boolean;
}

/**
 * Gives the documents that no earlier process of this run has sent. The others are settled as they
 * were, or unconfirmed, as a request was made for them and nobody knows what came of it. A document
 * that is no longer the one that was sent ends the run: its input has changed.
 * @param chunks the documents of one chunk together: all of them are looked at before the first is
 *   given, so that what is settled is known to be so whenever the run is stopped
 */
export async function* skipSettled(
  chunks: AsyncIterable<readonly DocumentRange[]>,
  run: KeptRun,
): AsyncGenerator<DocumentRange, void, undefined> {
  for await (const ranges of chunks) {
    const open: DocumentRange[] = [];
    for (const range of ranges) open.push(...(await openIn(range, run)));
    if (run.stops.stopsSending) return;
    yield* open;
    for (const { ranges: missing } of await run.delivery.makeRoom()) yield* missing;
  }
}

/** The documents that are still to be sent. If one has changed, the run ends. */
async function openIn(range: DocumentRange, run: KeptRun): Promise<readonly DocumentRange[]> {
  const open: DocumentRange[] = [];
  for (const part of await run.kept.earlier(range)) {
    if (part.changed !== undefined) {
      run.stops.stop({ kind: 'changed', message: changed(part.range, part.changed) });
      return [];
    }
    if (isOpen(part, run)) open.push(part.range);
  }
  return open;
}

/** Whether documents are still to be sent. If not, they are settled here. */
function isOpen({ range, state }: EarlierPart, run: KeptRun): boolean {
  const outcome = outcomeOf(state, run.retryRejected);
  if (state === undefined || outcome === 'open') {
    if (state?.message) run.recorder.sentAgain(range, state.message);
    return true;
  }
  if (outcome === 'unconfirmed') leaveUnconfirmed(range, state, run);
  else run.recorder.settleRange(range, { outcome, problems: problemsOf(outcome, state.message) });
  return false;
}

/** An earlier process of the run made a request, and nobody knows what came of it. */
function leaveUnconfirmed(range: DocumentRange, state: RecordState, run: KeptRun): void {
  const { intent, message } = state;
  const batch = batchOf([range]);
  run.kept.belongsTo(intent, batch);
  run.delivery.unconfirmed(batch, message || 'the run was cut off before an answer came');
}

/** What became of documents before, as far as it matters now; `open`: they are to be sent. */
type EarlierOutcome = 'accepted' | 'rejected' | 'open' | 'unconfirmed';

function outcomeOf(state: RecordState | undefined, retryRejected: boolean): EarlierOutcome {
  if (state === undefined) return 'open';
  switch (state.kind) {
    case 'accepted':
      return 'accepted';
    case 'rejected':
      return retryRejected ? 'open' : 'rejected';
    case 'unknown':
    case 'sending':
      return 'unconfirmed';
    case 'unsent':
      return 'open';
    default:
      return state.kind satisfies never;
  }
}

function problemsOf(outcome: 'accepted' | 'rejected', message: string): readonly Problem[] {
  return outcome === 'accepted' ? [] : [{ kind: outcome, field: null, message }];
}

function changed({ documents }: DocumentRange, document: number): string {
  return `${documents.chunk.source}, record ${recordNumber(documents, document)} is not what was sent for it when the run began: the input has changed since. Start a new run (it leaves out what was accepted)`;
}
