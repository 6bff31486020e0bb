import type { Batch } from '../../model/documents.js';
import type { RetryBudget } from './retry-budget.js';

/** A batch that waits to be sent. */
export interface Waiting {
  readonly batch: Batch;
  /** How often it was sent, or tried to be, as it is. */
  readonly tries: number;
  /** Not to be sent before, in milliseconds since 1970. */
  readonly notBefore: number;
  /** The service was pressed when it was sent: sending it again must not press it more. */
  readonly refused: boolean;
  /** That it is about to be sent is already being made durable; resolves with whether it is. */
  readonly intended?: Promise<boolean>;
}

/** What is first in the line: a batch, or how long to wait for one in milliseconds. */
type First =
  | { readonly kind: 'batch'; readonly waiting: Waiting }
  | { readonly kind: 'wait'; readonly ms: number };

/** With more than this waiting to be sent again, nothing new is sent. */
const MOST_AGAIN = 32;

/**
 * The batches that wait, in the order in which they go: parts of a batch that was cut, then what
 * is to be sent again and may be, then new ones. What is to be sent again lets new ones pass while
 * the budget for retries is spent, until too many wait.
 */
export class Line {
  readonly #parts: Waiting[] = [];
  readonly #again: Waiting[] = [];
  #fresh: Waiting | undefined;

  get empty(): boolean {
    return this.#parts.length + this.#again.length === 0 && this.wantsFresh;
  }

  /** Whether there is a place for a new batch; there is only one. */
  get wantsFresh(): boolean {
    return this.#fresh === undefined;
  }

  fresh(batch: Batch, intended?: Promise<boolean>): void {
    const waiting = { batch, tries: 0, notBefore: 0, refused: false };
    this.#fresh = intended === undefined ? waiting : { ...waiting, intended };
  }

  /** Takes the new batch out, if there is one, as it will not be sent. */
  dropFresh(): Waiting | undefined {
    const fresh = this.#fresh;
    this.#fresh = undefined;
    return fresh;
  }

  again(waiting: Waiting): void {
    this.#again.push(waiting);
  }

  /** Puts parts in front of all others. */
  parts(parts: readonly Waiting[]): void {
    this.#parts.unshift(...parts);
  }

  /** Takes out what goes first, if it may go. */
  take(now: number, budget: RetryBudget): First {
    const part = this.#parts.shift();
    if (part !== undefined) return { kind: 'batch', waiting: part };
    const refusedWaitMs = this.#again.length === 0 ? 0 : budget.waitMs(now);
    let ms = Number.POSITIVE_INFINITY;
    for (const [at, waiting] of this.#again.entries()) {
      const wait = Math.max(waiting.notBefore - now, waiting.refused ? refusedWaitMs : 0);
      if (wait <= 0) {
        this.#again.splice(at, 1);
        return { kind: 'batch', waiting };
      }
      ms = Math.min(ms, wait);
    }
    const fresh = this.#fresh;
    if (fresh === undefined || this.#again.length >= MOST_AGAIN) return { kind: 'wait', ms };
    this.#fresh = undefined;
    return { kind: 'batch', waiting: fresh };
  }
}
