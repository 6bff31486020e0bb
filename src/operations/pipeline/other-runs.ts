import type { DocumentRange } from '../../model/documents.js';
import type { Outcome, Problem } from '../../model/record.js';
import type { OutcomeRecorder } from '../../outcomes/outcome-recorder.js';
import type { Run } from '../../runs/run.js';
import type { Known } from '../../runs/store.js';

/** Documents that may wait for another run, at most: each keeps its chunk in memory. */
const MAX_WAITING = 10_000;

/**
 * What other runs have sent to the monitoring, before or at the same time. Nothing is sent that is
 * known to be there, or that may be. What another run has just sent is looked at again at the end,
 * when that may know what came of it.
 */
export class OtherRuns {
  readonly #kept: Run | undefined;
  readonly #recorder: OutcomeRecorder;
  #waiting: DocumentRange[] = [];
  #room = MAX_WAITING;

  /** @param kept `undefined`: nothing is known of others */
  constructor(kept: Run | undefined, recorder: OutcomeRecorder) {
    this.#kept = kept;
    this.#recorder = recorder;
  }

  /**
   * Gives the documents that no other run has sent. The others are settled here.
   * @throws JournalError if that can't be read
   */
  async *skipKnown(
    ranges: AsyncIterable<DocumentRange>,
  ): AsyncGenerator<DocumentRange, void, undefined> {
    for await (const range of ranges) {
      for (const [part, known] of await this.#known(range)) {
        if (known === undefined) yield part;
        else this.settle(part, known);
      }
    }
  }

  /** Another run has sent these documents, or is about to. */
  settle(range: DocumentRange, known: Known): void {
    if (known === 'unconfirmed' && this.#room > 0) {
      this.#waiting.push(range);
      this.#room -= range.to - range.from;
    } else this.#recorder.settleEarlier(range, ...KNOWN[known]);
  }

  /** Which of some documents other runs have sent, as of now. */
  async sentOf(ranges: readonly DocumentRange[]): Promise<readonly DocumentRange[]> {
    await this.#kept?.openLedger();
    const sent: DocumentRange[] = [];
    for (const range of ranges) {
      for (const [part, known] of await this.#known(range)) {
        if (known !== undefined) sent.push(part);
      }
    }
    return sent;
  }

  /** At the end: settles what waits, and gives what no other run has sent after all. */
  async left(): Promise<readonly DocumentRange[]> {
    const waiting = this.#waiting.splice(0);
    this.#room = 0;
    if (waiting.length > 0) await this.#kept?.openLedger();
    const left: DocumentRange[] = [];
    for (const range of waiting) {
      for (const [part, known] of await this.#known(range)) {
        if (known === undefined) left.push(part);
        else this.settle(part, known);
      }
    }
    return left;
  }

  async #known(range: DocumentRange): ReturnType<Run['known']> {
    return (await this.#kept?.known(range)) ?? [[range, undefined]];
  }
}

const KNOWN: Readonly<Record<Known, readonly [Outcome, readonly Problem[]]>> = {
  same: ['duplicate', problemOf('known', 'another run imported it with the same content')],
  changed: [
    'duplicate',
    problemOf(
      'changed',
      'another run imported it with other content: the service keeps what it has, as documents that were imported can be neither changed nor replaced',
    ),
  ],
  unconfirmed: [
    'unknown',
    problemOf(
      'in-doubt',
      'another run sent it, and nobody knows yet whether it arrived: `docferry runs list` shows the run, and `docferry runs resolve RUN` finds out',
    ),
  ],
};

function problemOf(kind: Problem['kind'], message: string): readonly Problem[] {
  return [{ kind, field: 'sourceId', message }];
}
