import { type Batch, batchOf, type DocumentRange } from '../../model/documents.js';
import { recordNumber } from '../../model/record-ranges.js';
import type { EarlierPart } from '../../runs/stored-run.js';
import type { ImportJournal } from './import-journal.js';
import type { PipelineRun } from './pipeline-run.js';

/** Documents to send, or a batch that may have been sent before and is to be reconciled. */
export type ToDeliver = DocumentRange | Batch;

/**
 * Yields the documents that neither an earlier process of this run nor another run has sent. Records
 * the outcomes of the others, or yields them as unconfirmed batches. The run stops if a document
 * differs from the one that was sent before, because its input has changed.
 * @param chunks the documents of one chunk at a time. A whole chunk is checked before its first
 *   document is yielded, so that known outcomes are recorded even if the run is stopped
 */
export async function* skipSent(
  chunks: AsyncIterable<readonly DocumentRange[]>,
  journal: ImportJournal,
  run: PipelineRun,
): AsyncGenerator<ToDeliver, void, undefined> {
  for await (const ranges of chunks) {
    const remaining = await unrecorded(ranges, journal, run);
    if (remaining.length > 0 && run.stops.stopsSending) return;
    for (const item of remaining) {
      if ('ranges' in item) yield item;
      else yield* unsentByOthers(item, journal, run);
    }
  }
}

/**
 * Returns the documents whose outcome no earlier process of this run has recorded. If one has
 * changed, the run stops.
 */
async function unrecorded(
  ranges: readonly DocumentRange[],
  journal: ImportJournal,
  run: PipelineRun,
): Promise<readonly ToDeliver[]> {
  const { stored } = run;
  if (stored === undefined || stored.isNew) return ranges;
  const remaining: ToDeliver[] = [];
  for (const range of ranges) {
    for (const part of await stored.statesOf(range)) {
      if (part.changed !== undefined) {
        const message = changedMessage(part.range, part.changed);
        run.stops.stop({ kind: 'changed', message });
        break;
      }
      const item = noteOrResend(part, journal, run);
      if (item !== undefined) remaining.push(item);
    }
  }
  return remaining;
}

/** Yields the documents that no other run has sent; takes over those that one left unconfirmed. */
async function* unsentByOthers(
  range: DocumentRange,
  journal: ImportJournal,
  { stops }: PipelineRun,
): AsyncGenerator<ToDeliver, void, undefined> {
  for (const [part, status] of await journal.lookUp(range)) {
    if (status === undefined) yield part;
    else if (status !== 'left-unconfirmed' && status !== 'left-changed') {
      journal.noteSentElsewhere(part, status);
    } else if (!stops.stopsSending) {
      // Journaled, so that no other run reconciles it at the same time.
      const unconfirmed = 'an earlier run sent it and got no answer';
      const sentOther = status === 'left-changed' ? true : undefined;
      const batch = await journal.writeIntent({ ...batchOf([part]), unconfirmed, sentOther });
      if (batch === undefined || batch.count === 0) continue;
      yield { ...batch, unconfirmed, sentOther };
    }
  }
}

/** Records a final outcome from an earlier process, or returns the documents to be sent or reconciled. */
function noteOrResend(
  { range, state }: EarlierPart,
  journal: ImportJournal,
  { recorder, settings }: PipelineRun,
): ToDeliver | undefined {
  if (state === undefined) return range;
  const { kind, intent, message } = state;
  const sentOther = state.sentOther ? true : undefined;
  if (kind === 'unsent' || (kind === 'rejected' && settings.retryRejected)) {
    if (message) recorder.noteSentAgain(range, message);
    return range;
  }
  if (kind === 'accepted' && sentOther) {
    journal.noteSentElsewhere(range, 'changed');
    return undefined;
  }
  if (kind === 'accepted' || kind === 'rejected') {
    const problems = kind === 'accepted' ? [] : [{ kind, field: null, message }];
    recorder.noteRange(range, { outcome: kind, problems });
    return undefined;
  }
  // An earlier process sent it, and the outcome is unknown.
  const unconfirmed = message || 'the run was cut off before an answer came';
  return { ...batchOf([range]), unconfirmed, intent, sentOther };
}

function changedMessage({ documents }: DocumentRange, document: number): string {
  return `${documents.chunk.source}, record ${recordNumber(documents, document)} differs from what the run sent for it earlier, so the input has changed. Start a new run (it skips accepted documents)`;
}
