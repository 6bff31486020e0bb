import type { Batch } from '../../model/documents.js';
import { cutBatch, partOfBatch } from '../batching/parts.js';
import type { Verdict } from '../judge-answer.js';

/**
 * What it means that the service refuses a batch of several documents: `atomic`, it took none of
 * them; `partial`, it may have taken some.
 */
export type RefusalMeaning = 'atomic' | 'partial';

/**
 * Finds out what a refusal of several documents means, from refused batches that were reconciled.
 * Some of one are there: `partial`. None is there: its first document goes alone, and only if the
 * service accepts it, a refusal is `atomic`. Otherwise the batch may have been one of bad documents
 * only, or the service may stop at the first bad one. What is not known to be `atomic` goes
 * document by document, since one that is refused alone was certainly not taken.
 */
export class Refusals {
  readonly #learned: (meaning: RefusalMeaning) => void;
  #meaning: RefusalMeaning | undefined;
  /** Documents that went alone, each with the rest of its batch, which waits for the answer. */
  readonly #trials = new Map<Batch, Batch>();
  /** Rests that may go, as their trial was answered. */
  #rests: Batch[] = [];

  /**
   * @param known what is known before, if anything is
   * @param learned told once it is found out
   */
  constructor(known: RefusalMeaning | undefined, learned: (meaning: RefusalMeaning) => void) {
    this.#meaning = known;
    this.#learned = learned;
  }

  /** Whether a batch that is refused was certainly not taken, not even in part. */
  get atomic(): boolean {
    return this.#meaning === 'atomic';
  }

  /** Documents of a refused batch are there. */
  tookSome(): void {
    this.#learn('partial');
  }

  /**
   * These documents of a refused batch were not taken.
   * @param telling the first of them was the first of the batch, and none of the batch is there
   * @returns what of them goes now
   */
  tookNone(batch: Batch, telling: boolean): readonly Batch[] {
    if (!telling || this.#meaning !== undefined || batch.count === 1) return this.#parts(batch);
    const [first, ...others] = Array.from({ length: batch.count }, (_, index) => index);
    const trial = partOfBatch(batch, [first as number]);
    this.#trials.set(trial, partOfBatch(batch, others));
    return [trial];
  }

  /** What became of a request. */
  answered(batch: Batch, kind: Verdict['kind']): void {
    const rest = this.#trials.get(batch);
    if (rest === undefined) return;
    this.#trials.delete(batch);
    if (kind === 'accepted') this.#learn('atomic');
    this.#rests.push(rest);
  }

  /** What has waited for an answer, and may go now. */
  takeReleased(): readonly Batch[] {
    const rests = this.#rests;
    this.#rests = [];
    return rests.flatMap((rest) => this.#parts(rest));
  }

  #parts(batch: Batch): readonly Batch[] {
    return cutBatch(batch, this.atomic ? Math.min(2, batch.count) : batch.count);
  }

  /** What is there was taken, whatever else points to the contrary. */
  #learn(meaning: RefusalMeaning): void {
    if (this.#meaning === meaning || this.#meaning === 'partial') return;
    this.#meaning = meaning;
    this.#learned(meaning);
  }
}
