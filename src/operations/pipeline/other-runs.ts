import { type DocumentRange, sourceIdOf } from '../../model/documents.js';
import type { Outcome, Problem } from '../../model/record.js';
import type { Run } from '../../runs/run.js';
import type { Known } from '../../runs/store.js';
import type { PipelineRun } from './pipeline-run.js';

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
