import type { Batch, Documents } from '../../model/documents.js';

export interface UnconfirmedBatch {
  readonly batch: Batch;
  readonly message: string;
  readonly endedMs: number;
  /** The service refused the batch, and may have stored a part. */
  readonly refused: boolean;
  readonly sentAgain: boolean;
  /** Nothing but a canary is lacking to decide about its documents. */
  readonly lacksCanary: boolean;
  /** A single document that was sent again as a canary, without an answer. */
  readonly isCanary: boolean;
}

/** Returns whether this process has sent the documents twice, and must not send them again. */
export function wasSentTwice({ sentAgain, isCanary, refused }: UnconfirmedBatch): boolean {
  return sentAgain && !isCanary && !refused;
}

/** Most memory held by unconfirmed documents before they are reconciled. */
const MAX_BYTES = 64 * 2 ** 20;

/** Unconfirmed batches until they are reconciled. */
export class HeldBatches {
  readonly #batches: UnconfirmedBatch[] = [];
  /** What they keep in memory: one document keeps all documents of its chunk. */
  readonly #retained = new Set<Documents>();
  #bytes = 0;

  /** Whether their memory is used up. */
  get full(): boolean {
    return this.#bytes >= MAX_BYTES;
  }

  add(held: UnconfirmedBatch): void {
    this.#batches.push(held);
    for (const { documents } of held.batch.ranges) {
      if (this.#retained.has(documents)) continue;
      this.#retained.add(documents);
      this.#bytes += documents.bytes.byteLength;
    }
  }

  /** Removes and returns all batches. */
  release(): readonly UnconfirmedBatch[] {
    this.#retained.clear();
    this.#bytes = 0;
    return this.#batches.splice(0);
  }

  /** Batch whose first document is the next canary; `undefined` if none lacks one. */
  nextCanary(): UnconfirmedBatch | undefined {
    const lacking = this.#batches.filter(({ lacksCanary }) => lacksCanary);
    const harmless = lacking.find(({ refused }) => refused);
    // Otherwise the same document as before, so that only that one risks a duplicate.
    return harmless ?? lacking.find(({ isCanary }) => isCanary) ?? lacking[0];
  }
}
