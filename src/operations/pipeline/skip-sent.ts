import type { DeliveryJournal } from '../../delivery/context.js';
import { type Batch, batchOf, type DocumentRange, sourceIdOf } from '../../model/documents.js';
import type { Outcome, Problem } from '../../model/record.js';
import { recordNumber } from '../../model/record-ranges.js';
import type { LedgerStatus } from '../../runs/store.js';
import type { EarlierPart, StoredRun } from '../../runs/stored-run.js';
import { CHANGED_REMEDY } from '../diagnosis/common-explanation.js';
import type { PipelineRun } from './pipeline-run.js';

/** Documents to send, or a batch that may have been sent before and is to be reconciled. */
export type ToDeliver = DocumentRange | Batch;

interface SkipContext {
  /** `undefined` without a state. */
  readonly stored: StoredRun | undefined;
  readonly others: OtherRuns;
  readonly journal: DeliveryJournal;
  readonly run: PipelineRun;
}

/**
 * Yields the documents that neither an earlier process of this run nor another run has sent. Records
 * the outcomes of the others, or yields them as unconfirmed batches. The run stops if a document
 * differs from the one that was sent before, because its input has changed.
 * @param chunks the documents of one chunk at a time. A whole chunk is checked before its first
 *   document is yielded, so that known outcomes are recorded even if the run is stopped
 */
export async function* skipSent(
  chunks: AsyncIterable<readonly DocumentRange[]>,
  context: SkipContext,
): AsyncGenerator<ToDeliver, void, undefined> {
  for await (const ranges of chunks) {
    const remaining = await skipRecorded(ranges, context);
    if (remaining.length > 0 && context.run.stops.stopsSending) return;
    for (const item of remaining) {
      if ('ranges' in item) yield item;
      else yield* skipKnown(item, context);
    }
  }
}

/**
 * Returns the documents whose outcome no earlier process of this run has recorded. If one has
 * changed, the run stops.
 */
async function skipRecorded(
  ranges: readonly DocumentRange[],
  { stored, run }: SkipContext,
): Promise<readonly ToDeliver[]> {
  if (stored === undefined || stored.isNew) return ranges;
  const remaining: ToDeliver[] = [];
  for (const range of ranges) {
    for (const part of await stored.statesOf(range)) {
      if (part.changed !== undefined) {
        const message = changedMessage(part.range, part.changed);
        run.stops.stop({ kind: 'changed', message });
        break;
      }
      const item = recordOrResend(part, run);
      if (item !== undefined) remaining.push(item);
    }
  }
  return remaining;
}

/** Yields the documents that no other run has sent; takes over those that one left unconfirmed. */
async function* skipKnown(
  range: DocumentRange,
  { others, journal, run: { stops } }: SkipContext,
): AsyncGenerator<ToDeliver, void, undefined> {
  for (const [part, known] of await others.known(range)) {
    if (known === undefined) yield part;
    else if (known !== 'left-unconfirmed') others.recordKnown(part, known);
    else if (!stops.stopsSending) {
      // Journaled, so that no other run reconciles it at the same time.
      const unconfirmed = 'an earlier run sent it and got no answer';
      const intended = await journal.intend({ ...batchOf([part]), unconfirmed });
      if (intended === undefined || intended.count === 0) continue;
      yield { ...intended, unconfirmed };
    }
  }
}

/** Records the outcome from an earlier process, or returns them to be sent or reconciled. */
function recordOrResend(
  { range, state }: EarlierPart,
  { recorder, settings }: PipelineRun,
): ToDeliver | undefined {
  if (state === undefined) return range;
  const { kind, intent, message } = state;
  if (kind === 'unsent' || (kind === 'rejected' && settings.retryRejected)) {
    if (message) recorder.sentAgain(range, message);
    return range;
  }
  if (kind === 'accepted' || kind === 'rejected') {
    const problems = kind === 'accepted' ? [] : [{ kind, field: null, message }];
    recorder.recordRange(range, { outcome: kind, problems });
    return undefined;
  }
  // An earlier process sent it, and the outcome is unknown.
  const unconfirmed = message || 'the run was cut off before an answer came';
  return { ...batchOf([range]), unconfirmed, intent };
}

function changedMessage({ documents }: DocumentRange, document: number): string {
  return `${documents.chunk.source}, record ${recordNumber(documents, document)} differs from what the run sent for it earlier, so the input has changed. Start a new run (it skips accepted documents)`;
}

/** Maximum number of documents waiting for another run. Each retains its chunk in memory. */
const MAX_WAITING = 10_000;

/** Stands in messages for the first record with a sourceId if another process read it. */
const OTHER_PROCESS = 'a part of the input that another process has';

/**
 * Documents that other runs, or other processes of this run, have sent to the monitoring. Those that
 * arrived or may have arrived aren't sent again. Those still in flight elsewhere wait until the end of
 * this run, when their outcome may be known.
 */
export class OtherRuns {
  readonly #stored: StoredRun | undefined;
  readonly #run: PipelineRun;
  #waiting: DocumentRange[] = [];
  #freeSlots = MAX_WAITING;

  /** @param stored `undefined` without a state: other runs are unknown */
  constructor(stored: StoredRun | undefined, run: PipelineRun) {
    this.#stored = stored;
    this.#run = run;
  }

  /** Records documents that another run has sent or is about to send, or lets them wait. */
  recordKnown(range: DocumentRange, known: LedgerStatus): void {
    if ((known === 'unconfirmed' || known === 'left-unconfirmed') && this.#freeSlots > 0) {
      this.#waiting.push(range);
      this.#freeSlots -= range.to - range.from;
    } else if (known === 'repeat' || known === 'repeat-changed') {
      const { documents, from, to } = range;
      for (let index = from; index < to; index += 1) {
        this.#recordRepeat({ documents, from: index, to: index + 1 }, known === 'repeat');
      }
    } else {
      const [outcome, problems] = OUTCOMES[known];
      this.#run.recorder.recordRange(range, { outcome, problems });
    }
  }

  /** Records waiting documents at the end of the run, and returns those that no other run has sent after all. */
  async recordWaiting(): Promise<readonly DocumentRange[]> {
    const waiting = this.#waiting.splice(0);
    this.#freeSlots = 0;
    if (waiting.length > 0) await this.#stored?.openLedger();
    const unsent: DocumentRange[] = [];
    for (const range of waiting) {
      for (const [part, known] of await this.known(range)) {
        if (known === undefined) unsent.push(part);
        else this.recordKnown(part, known);
      }
    }
    return unsent;
  }

  /** Records one document whose sourceId another process of this run has. */
  #recordRepeat(range: DocumentRange, isSame: boolean): void {
    const { documents, from: document } = range;
    const outcome = isSame ? 'duplicate' : 'invalid';
    const sourceId = sourceIdOf(documents, document);
    const problem = this.#run.duplicates.problemOf({ outcome }, sourceId, OTHER_PROCESS);
    this.#run.recorder.recordRange(range, { outcome, problems: [problem] });
  }

  /** Splits a range by what is known now from other runs. @throws JournalError */
  async known(range: DocumentRange): ReturnType<StoredRun['known']> {
    return (await this.#stored?.known(range)) ?? [[range, undefined]];
  }
}

const UNCONFIRMED = [
  'unknown',
  problemOf(
    'in-doubt',
    'another run sent it, and it is not known yet whether it arrived. `docferry runs list` shows that run, and `docferry runs resolve RUN` finds out',
  ),
] as const;

type KnownOfOthers = Exclude<LedgerStatus, 'repeat' | 'repeat-changed'>;

const OUTCOMES: Readonly<Record<KnownOfOthers, readonly [Outcome, readonly Problem[]]>> = {
  same: ['duplicate', problemOf('known', 'another run imported it with the same content')],
  changed: [
    'duplicate',
    problemOf(
      'changed',
      `another run imported it with other content, so it is a duplicate: ${CHANGED_REMEDY}`,
    ),
  ],
  unconfirmed: UNCONFIRMED,
  'left-unconfirmed': UNCONFIRMED,
};

function problemOf(kind: Problem['kind'], message: string): readonly Problem[] {
  return [{ kind, field: 'sourceId', message }];
}
