import { duplicateProblem } from '../../dedup/duplicates.js';
import type { BatchOutcome, DeliveryJournal } from '../../delivery/context.js';
import { type Batch, type DocumentRange, sourceIdOf } from '../../model/documents.js';
import { JournalError } from '../../model/errors.js';
import { type Outcome, type Problem, type ProblemKind, withRemedy } from '../../model/record.js';
import type { LedgerStatus } from '../../runs/store.js';
import type { StoredRun } from '../../runs/stored-run.js';
import type { PipelineRun } from './pipeline-run.js';

/** Maximum number of documents waiting for another run. Each retains its chunk in memory. */
const MAX_WAITING = 10_000;

/** Name of the earlier record with a sourceId in messages, if it is in another shard. */
const OTHER_SHARD = 'another shard of this import';

/**
 * The journal of an import, and the ledger of what other runs, or other shards of this import, have sent
 * to the monitoring. What arrived or may have arrived isn't sent again. What is still in flight elsewhere
 * waits until the end of this run, when its outcome may be known. Without a state, nothing is known.
 */
export class ImportJournal implements DeliveryJournal {
  readonly #run: PipelineRun;
  #waiting: DocumentRange[] = [];
  #freeSlots = MAX_WAITING;

  constructor(run: PipelineRun) {
    this.#run = run;
  }

  /**
   * Makes the intent to send a batch durable, and notes those of its documents that another run has.
   * Stops the run if the journal can't be written.
   * @returns the part to send; `undefined` if there is none
   */
  async writeIntent(batch: Batch): Promise<Batch | undefined> {
    const { stored, stops } = this.#run;
    if (stored === undefined) return batch;
    try {
      const { batch: toSend, elsewhere } = await stored.writeIntent(batch);
      for (const [range, status] of elsewhere) this.noteSentElsewhere(range, status);
      return toSend;
    } catch (error) {
      stops.stopIf(error, JournalError);
      return undefined;
    }
  }

  settle(batch: Batch, outcome: BatchOutcome): void {
    this.#run.stored?.settle(batch, outcome);
  }

  /** Splits a range by what is known now from other runs. @throws JournalError */
  async lookUp(range: DocumentRange): ReturnType<StoredRun['lookUp']> {
    return (await this.#run.stored?.lookUp(range)) ?? [[range, undefined]];
  }

  /** Records documents that another run has sent or is about to send, or lets them wait. */
  noteSentElsewhere(range: DocumentRange, status: LedgerStatus): void {
    const { documents, from, to } = range;
    if (status === 'repeat' || status === 'repeat-changed') {
      for (let index = from; index < to; index += 1) {
        this.#noteRepeat({ documents, from: index, to: index + 1 }, status === 'repeat');
      }
      return;
    }
    const [outcome, problems] = OUTCOMES[status];
    if (outcome === 'unknown' && this.#freeSlots > 0) {
      this.#waiting.push(range);
      this.#freeSlots -= to - from;
    } else this.#run.recorder.noteRange(range, { outcome, problems });
  }

  /** Settles waiting documents at the end of the run, and returns those that no other run has sent after all. */
  async settleWaiting(): Promise<readonly DocumentRange[]> {
    const waiting = this.#waiting.splice(0);
    this.#freeSlots = 0;
    if (waiting.length > 0) await this.#run.stored?.openLedger();
    const unsent: DocumentRange[] = [];
    for (const range of waiting) {
      for (const [part, status] of await this.lookUp(range)) {
        if (status === undefined) unsent.push(part);
        else this.noteSentElsewhere(part, status);
      }
    }
    return unsent;
  }

  /** Records one document whose sourceId another shard has. */
  #noteRepeat(range: DocumentRange, isSame: boolean): void {
    const { documents, from: document } = range;
    const outcome = isSame ? 'duplicate' : 'invalid';
    const sourceId = sourceIdOf(documents, document);
    const byReview = (documents.reviews[document] ?? 0) !== 0;
    const { duplicates } = this.#run.plan.mapping;
    const context = { sourceId, previous: OTHER_SHARD, duplicates };
    const problem = duplicateProblem({ outcome, byReview }, context);
    this.#run.recorder.noteRange(range, { outcome, problems: [problem] });
  }
}

const UNCONFIRMED = [
  'unknown',
  problemOf(
    'in-doubt',
    'another run sent it, and it is not known yet whether it arrived. `docferry runs list` shows that run: `docferry runs resume RUN` continues it if its process was killed, and `docferry runs resolve RUN` finds out',
  ),
] as const;

type StatusOfOtherRuns = Exclude<LedgerStatus, 'repeat' | 'repeat-changed'>;

const OUTCOMES: Readonly<Record<StatusOfOtherRuns, readonly [Outcome, readonly Problem[]]>> = {
  same: ['duplicate', problemOf('known', 'another run imported it with the same content')],
  changed: [
    'duplicate',
    problemOf(
      'changed',
      'another run imported it with other content, so it is a duplicate',
      "do nothing if the sourceId is the review's own id, as an imported document cannot be changed; otherwise map another column, or a hash of more columns",
    ),
  ],
  unconfirmed: UNCONFIRMED,
  'left-unconfirmed': UNCONFIRMED,
  'left-changed': UNCONFIRMED,
};

function problemOf(kind: ProblemKind, reason: string, remedy?: string): readonly Problem[] {
  const text = remedy === undefined ? { message: reason } : withRemedy(reason, remedy);
  return [{ kind, field: 'sourceId', ...text }];
}
