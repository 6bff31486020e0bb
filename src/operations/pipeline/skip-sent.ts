import type { DeliveryJournal } from '../../delivery/context.js';
import { type Batch, batchOf, type DocumentRange, sourceIdOf } from '../../model/documents.js';
import type { Outcome, Problem } from '../../model/record.js';
import { recordNumber } from '../../model/record-ranges.js';
import type { EarlierPart, Run } from '../../runs/run.js';
import type { Known } from '../../runs/store.js';
import type { PipelineRun } from './prepare-run.js';

/** Documents to send, or a batch that may have been sent before and is to be reconciled. */
export type ToDeliver = DocumentRange | Batch;

/** What tells which documents were sent before. */
interface SentBefore {
  /** `undefined`: nothing of this run outlives its process. */
  readonly stored: Run | undefined;
  readonly others: OtherRuns;
  readonly journal: DeliveryJournal;
  readonly run: PipelineRun;
}

/** The same of a run that is stored. */
type StoredBefore = SentBefore & { readonly stored: Run };

/**
 * Gives the documents that neither an earlier process of this run nor another run has sent. The
 * others are settled here, or given as unconfirmed. A document that is no longer the one that was
 * sent ends the run: its input has changed.
 * @param chunks the documents of one chunk together: all of them are looked at before the first is
 *   given, so that what is settled is known to be so whenever the run is stopped
 */
export async function* skipSent(
  chunks: AsyncIterable<readonly DocumentRange[]>,
  before: SentBefore,
): AsyncGenerator<ToDeliver, void, undefined> {
  for await (const ranges of chunks) {
    const open = await openOf(ranges, before);
    if (open.length > 0 && before.run.stops.stopsSending) return;
    for (const one of open) {
      if ('ranges' in one) yield one;
      else yield* skipKnown(one, before);
    }
  }
}

/** What no earlier process of this run has settled. */
async function openOf(
  ranges: readonly DocumentRange[],
  before: SentBefore,
): Promise<readonly ToDeliver[]> {
  const { stored } = before;
  if (stored === undefined || stored.isNew) return ranges;
  const open: ToDeliver[] = [];
  for (const range of ranges) open.push(...(await openIn(range, { ...before, stored })));
  return open;
}

/** Gives the documents that no other run has sent; what one left unconfirmed becomes this run's own. */
async function* skipKnown(
  range: DocumentRange,
  { others, journal, run: { stops } }: SentBefore,
): AsyncGenerator<ToDeliver, void, undefined> {
  for (const [part, known] of await others.known(range)) {
    if (known === undefined) yield part;
    else if (known !== 'left-unconfirmed') others.settle(part, known);
    else if (!stops.stopsSending) {
      // In this run's journal, too, so that no other one reconciles it at the same time.
      const unconfirmed = 'an earlier run sent it without an answer';
      const intended = await journal.intend({ ...batchOf([part]), unconfirmed });
      if (intended === undefined || intended.count === 0) continue;
      const batch = { ...intended, unconfirmed };
      journal.isPartOf(batch, intended);
      yield batch;
    }
  }
}

/** The documents that are still to be sent. If one has changed, the run ends. */
async function openIn(range: DocumentRange, before: StoredBefore): Promise<readonly ToDeliver[]> {
  const open: ToDeliver[] = [];
  for (const part of await before.stored.earlier(range)) {
    if (part.changed !== undefined) {
      before.run.stops.stop({ kind: 'changed', message: changed(part.range, part.changed) });
      return [];
    }
    const left = leftOf(part, before);
    if (left !== undefined) open.push(left);
  }
  return open;
}

/** What is still to be sent or reconciled of some documents. The others are settled here. */
function leftOf(
  { range, state }: EarlierPart,
  { stored, run: { recorder, settings } }: StoredBefore,
): ToDeliver | undefined {
  if (state === undefined) return range;
  const { kind, intent, message } = state;
  if (kind === 'unsent' || (kind === 'rejected' && settings.retryRejected)) {
    if (message) recorder.sentAgain(range, message);
    return range;
  }
  if (kind === 'accepted' || kind === 'rejected') {
    const problems = kind === 'accepted' ? [] : [{ kind, field: null, message }];
    recorder.settleRange(range, { outcome: kind, problems });
    return undefined;
  }
  // An earlier process made a request, and nobody knows what came of it.
  const unconfirmed = message || 'the run was cut off before an answer came';
  const batch = { ...batchOf([range]), unconfirmed };
  stored.belongsTo(intent, batch);
  return batch;
}

function changed({ documents }: DocumentRange, document: number): string {
  return `${documents.chunk.source}, record ${recordNumber(documents, document)} is not what was sent for it when the run began: the input has changed since. Start a new run (it leaves out what was accepted)`;
}

/** Documents that may wait for another run, at most: each keeps its chunk in memory. */
const MAX_WAITING = 10_000;

/** Where the record is that had the same sourceId first, as far as this process knows. */
const ELSEWHERE = 'a part of the input that another process has';

/**
 * What other runs have sent to the monitoring, before or at the same time. Nothing is sent that is
 * known to be there, or that may be. What another run has just sent is looked at again at the end,
 * when that may know what came of it. The same of other processes of this run, which share its input.
 */
export class OtherRuns {
  readonly #stored: Run | undefined;
  readonly #run: PipelineRun;
  #waiting: DocumentRange[] = [];
  #room = MAX_WAITING;

  /** @param stored `undefined`: nothing is known of others */
  constructor(stored: Run | undefined, run: PipelineRun) {
    this.#stored = stored;
    this.#run = run;
  }

  /** Another run has sent these documents, or is about to. */
  settle(range: DocumentRange, known: Known): void {
    if ((known === 'unconfirmed' || known === 'left-unconfirmed') && this.#room > 0) {
      this.#waiting.push(range);
      this.#room -= range.to - range.from;
    } else if (known === 'repeat' || known === 'repeat-changed') {
      const { documents, from, to } = range;
      for (let at = from; at < to; at += 1) {
        this.#repeated({ documents, from: at, to: at + 1 }, known === 'repeat');
      }
    } else {
      const [outcome, problems] = KNOWN[known];
      this.#run.recorder.settleRange(range, { outcome, problems });
    }
  }

  /** At the end: settles what waits, and gives what no other run has sent after all. */
  async left(): Promise<readonly DocumentRange[]> {
    const waiting = this.#waiting.splice(0);
    this.#room = 0;
    if (waiting.length > 0) await this.#stored?.openLedger();
    const left: DocumentRange[] = [];
    for (const range of waiting) {
      for (const [part, known] of await this.known(range)) {
        if (known === undefined) left.push(part);
        else this.settle(part, known);
      }
    }
    return left;
  }

  /** Another process of this run has a document of the same sourceId. */
  #repeated(one: DocumentRange, same: boolean): void {
    const { documents, from: document } = one;
    const outcome = same ? 'duplicate' : 'invalid';
    const sourceId = sourceIdOf(documents, document);
    const problem = this.#run.duplicates.problemOf({ outcome }, sourceId, ELSEWHERE);
    this.#run.recorder.settleRange(one, { outcome, problems: [problem] });
  }

  /** What other runs have sent of some documents, as far as it is known now. @throws JournalError */
  async known(range: DocumentRange): ReturnType<Run['known']> {
    return (await this.#stored?.known(range)) ?? [[range, undefined]];
  }
}

const UNCONFIRMED = [
  'unknown',
  problemOf(
    'in-doubt',
    'another run sent it, and nobody knows yet whether it arrived: `docferry runs list` shows the run, and `docferry runs resolve RUN` finds out',
  ),
] as const;

type KnownOfOthers = Exclude<Known, 'repeat' | 'repeat-changed'>;

const KNOWN: Readonly<Record<KnownOfOthers, readonly [Outcome, readonly Problem[]]>> = {
  same: ['duplicate', problemOf('known', 'another run imported it with the same content')],
  changed: [
    'duplicate',
    problemOf(
      'changed',
      'another run imported it with other content: the service keeps what it has, as documents that were imported can be neither changed nor replaced',
    ),
  ],
  unconfirmed: UNCONFIRMED,
  'left-unconfirmed': UNCONFIRMED,
};

function problemOf(kind: Problem['kind'], message: string): readonly Problem[] {
  return [{ kind, field: 'sourceId', message }];
}
